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

it('interfaces have their hardware addresses as the node has them', () => {
  expect(guestInterface({ name: 'eth0', hardwareAddress: '02-00-00-00-00-0A', addresses: [] }).mac).toBe(
    '02:00:00:00:00:0a',
  );
});

it('what a guest says is cut to a size that can be written', () => {
  const addresses = [
    { type: 0, address: 'no address', prefix: 0 },
    { type: 1, address: `fe80::1%${'x'.repeat(1_000)}`, prefix: 64 },
    ...Array.from({ length: 20_000 }, (_, index) => anAddress(index)),
  ];

  const shown = guestInterface({ name: 'e'.repeat(10_000), hardwareAddress: 'z'.repeat(10_000), addresses });

  expect(shown.addresses).toEqual(Array.from({ length: 16 }, (_, index) => anAddress(index).address));
  expect([shown.name.length, shown.mac]).toEqual([256, undefined]);
  expect(osInfo({ 'os.pretty-name': 'x'.repeat(1 << 20) }).prettyName).toHaveLength(256);
});

function anAddress(index: number) {
  return { type: 0, address: `10.0.${index >> 8}.${index & 255}`, prefix: 24 };
}
