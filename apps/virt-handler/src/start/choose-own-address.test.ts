import type { NetworkInterfaceInfo } from 'node:os';

import { describe, expect, it } from 'vitest';

import { chooseOwnAddress } from './choose-own-address.ts';

const LOOPBACK = { lo: [info('127.0.0.1', true), info('::1', true)] };

describe('chooseOwnAddress', () => {
  it.each([
    [{ eth0: [info('192.0.2.7')] }, '192.0.2.7'],
    [{ smalt0: [info('10.222.0.1')], eth0: [info('192.0.2.7')] }, '192.0.2.7'],
    [{ guests: [info('10.9.0.1')], eth0: [info('192.0.2.7')] }, '192.0.2.7'],
    [
      { docker0: [info('172.17.0.1')], 'br-0123456789ab': [info('172.18.0.1')], bond0: [info('192.0.2.8')] },
      '192.0.2.8',
    ],
    [{ virbr0: [info('192.168.122.1')], 'br-ex': [info('192.0.2.9')] }, '192.0.2.9'],
    [{ eth0: [info('fe80::1'), info('2001:db8::7')] }, '2001:db8::7'],
    [{ eth0: [info('2001:db8::7')], eth1: [info('192.0.2.7')] }, '192.0.2.7'],
    [{ eth0: [info('169.254.3.4'), info('192.0.2.7')] }, '192.0.2.7'],
  ])('finds in %j what others can reach', (interfaces, address) => {
    expect(choose({ ...LOOPBACK, ...interfaces })).toBe(address);
  });

  it.each([
    [{}],
    [{ smalt0: [info('10.222.0.1')] }],
    [{ guests: [info('10.9.0.1')] }],
    [{ docker0: [info('172.17.0.1')] }],
    [{ eth0: [info('fe80::1')] }],
  ])('takes nothing of %j, and names the setting', (interfaces) => {
    expect(() => choose({ ...LOOPBACK, ...interfaces })).toThrow(/^migration\.address: no card .* give the address/);
  });
});

function choose(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[]>>): string {
  return chooseOwnAddress({ interfaces, guestBridge: 'guests', setting: 'migration.address' });
}

function info(address: string, internal = false): NetworkInterfaceInfo {
  const rest = { address, netmask: '', mac: '02:00:00:00:00:01', internal, cidr: null };
  return address.includes(':') ? { ...rest, family: 'IPv6', scopeid: 0 } : { ...rest, family: 'IPv4' };
}
