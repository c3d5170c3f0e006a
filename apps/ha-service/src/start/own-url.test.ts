import type { NetworkInterfaceInfo } from 'node:os';

import { expect, it } from 'vitest';

import { ownUrl } from './own-url.ts';

const EVERYWHERE = { host: '::', port: 8_443 };
const LOOPBACK = { lo: [v4('127.0.0.1', true)] };

const ETHERNET = { eth0: [v6('fe80::1', 2), v6('fd00::7', 0), v4('10.0.0.7')] };
const ETHERNET_6 = { eth0: [v6('fe80::1', 2), v6('fd00::7', 0)] };

it.each([
  { what: 'the settings name', host: 'ha-1.example', url: 'https://ha-1.example:8443' },
  { what: 'the settings name as an address', host: 'fd00::7', url: 'https://[fd00::7]:8443' },
  { what: 'it listens on', listen: { host: '10.0.0.7', port: 1 }, url: 'https://10.0.0.7:1' },
  { what: 'the machine has', interfaces: ETHERNET, url: 'https://10.0.0.7:8443' },
  { what: 'a machine without IPv4 has', interfaces: ETHERNET_6, url: 'https://[fd00::7]:8443' },
])('is found at the address that $what', ({ host = '', listen = EVERYWHERE, interfaces = {}, url }) => {
  expect(ownUrl(host, listen, { ...LOOPBACK, ...interfaces })).toBe(url);
});

it.each([
  { what: 'several interfaces', interfaces: { ...ETHERNET, docker0: [v4('172.17.0.1')] } },
  { what: 'none but its own', interfaces: {} },
])('is not found on a machine with $what, of which nobody has said an address', ({ interfaces }) => {
  expect(ownUrl('', { host: '0.0.0.0', port: 8_443 }, { ...LOOPBACK, ...interfaces })).toBeUndefined();
});

function v4(address: string, internal = false): NetworkInterfaceInfo {
  return { address, internal, family: 'IPv4', netmask: '255.255.255.0', mac: '52:54:00:00:00:01', cidr: null };
}

function v6(address: string, scopeid: number): NetworkInterfaceInfo {
  return { address, scopeid, internal: false, family: 'IPv6', netmask: 'ffff::', mac: '52:54:00:00:00:01', cidr: null };
}
