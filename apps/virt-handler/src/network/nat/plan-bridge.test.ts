import { describe, expect, it } from 'vitest';

import { parseIpv4Range } from './ipv4-range.ts';
import { GATEWAY_MAC, parseLinks, planBridge, type NodeLink } from './plan-bridge.ts';

const place = { bridge: 'smalt0', range: parseIpv4Range('10.222.0.0/18', 'range') };
const gateway = { address: '10.222.0.1', prefix: 18 };
const ready: NodeLink = { name: 'smalt0', kind: 'bridge', mac: GATEWAY_MAC, isUp: true, addresses: [gateway] };
const card: NodeLink = { ...ready, name: 'eth0', kind: undefined, addresses: [{ address: '192.0.2.2', prefix: 24 }] };

describe('planBridge', () => {
  it.each<[string, NodeLink[], string[]]>([
    [
      'is not there',
      [card],
      [
        `link add name smalt0 address ${GATEWAY_MAC} type bridge forward_delay 0`,
        'address add 10.222.0.1/18 dev smalt0',
        'link set dev smalt0 up',
      ],
    ],
    ['is as it should be', [card, ready], []],
    ['is down', [{ ...ready, isUp: false }], ['link set dev smalt0 up']],
    ['has lost its address', [{ ...ready, addresses: [] }], ['address add 10.222.0.1/18 dev smalt0']],
    [
      'has another MAC address',
      [{ ...ready, mac: '02:00:00:00:00:01' }],
      [`link set dev smalt0 address ${GATEWAY_MAC}`],
    ],
    [
      'had another range before',
      [{ ...ready, addresses: [{ address: '10.7.0.1', prefix: 24 }] }],
      ['address delete 10.7.0.1/24 dev smalt0', 'address add 10.222.0.1/18 dev smalt0'],
    ],
  ])('puts right a bridge that %s', (_state, links, expected) => {
    expect(planBridge(links, place)).toEqual(expected);
  });

  it.each<[string, NodeLink, string]>([
    ['the name', { ...ready, kind: 'dummy' }, 'network.bridge: smalt0 is an interface of this node, but no bridge'],
    [
      'some addresses',
      { ...card, addresses: [{ address: '10.222.9.9', prefix: 32 }] },
      'network.range: the interface eth0 of this node has an address in 10.222.0.0/18',
    ],
    [
      'addresses around it',
      { ...card, addresses: [{ address: '10.3.3.3', prefix: 8 }] },
      'network.range: the interface eth0',
    ],
  ])('refuses a node that uses %s for something else', (_what, link, message) => {
    expect(() => planBridge([link], place)).toThrow(
      expect.objectContaining({ code: 'network-failed', message: expect.stringContaining(message) }),
    );
  });
});

it('reads what ip prints, and IPv4 alone of it', () => {
  const text = JSON.stringify([
    {
      ifname: 'smalt0',
      flags: ['BROADCAST', 'UP'],
      address: GATEWAY_MAC,
      linkinfo: { info_kind: 'bridge' },
      addr_info: [
        { family: 'inet', local: '10.222.0.1', prefixlen: 18 },
        { family: 'inet6', local: 'fe80::1', prefixlen: 64 },
      ],
    },
    {},
  ]);

  expect(parseLinks(text)).toEqual([ready]);
});
