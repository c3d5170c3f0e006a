import { expect, it } from 'vitest';

import { guestInterface, osInfo } from './read-guest-facts.ts';

it('the operating system is told as far as the agent knows it', () => {
  const info = {
    'os.id': 'debian',
    'os.pretty-name': 'Debian 12',
    'os.kernel-release': '6.1.0',
    'os.machine': 'x86_64',
  };

  expect(osInfo(info)).toEqual({ id: 'debian', prettyName: 'Debian 12', kernelRelease: '6.1.0', machine: 'x86_64' });
});

it('interfaces have their IPv4 addresses first', () => {
  const addresses = [
    { type: 1, address: 'fe80::7', prefix: 64 },
    { type: 0, address: '10.0.2.7', prefix: 24 },
  ];

  expect(guestInterface({ name: 'eth0', hardwareAddress: '02:00:00:00:00:0A', addresses })).toEqual({
    name: 'eth0',
    mac: '02:00:00:00:00:0a',
    addresses: ['10.0.2.7', 'fe80::7'],
  });
});
