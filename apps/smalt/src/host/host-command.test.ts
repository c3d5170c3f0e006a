import { expect, it } from 'vitest';

import { hostTable } from './host-command.ts';

it('shows hosts with their power and network', () => {
  const hosts = [
    { name: 'hv1', address: '198.18.7.1', power: 'on', network: 'cut', controller: 'https://127.0.0.1:1001' },
    { name: 'hv2', address: '198.18.7.2', power: 'off', network: 'up', controller: 'https://127.0.0.1:1002' },
  ];

  expect(hostTable(hosts)).toBe(
    [
      'NAME  ADDRESS     POWER  NETWORK  CONTROLLER',
      'hv1   198.18.7.1  on     cut      https://127.0.0.1:1001',
      'hv2   198.18.7.2  off    up       https://127.0.0.1:1002',
    ].join('\n'),
  );
});

it('says how to have some where there are none', () => {
  expect(hostTable([])).toContain('smalt up --hosts 3 makes some to try');
});
