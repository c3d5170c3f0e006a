import { spawnSync } from 'node:child_process';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isOvsAgentError } from '../../ovs-agent-error.ts';
import type { CaptureFilter, FilterDirection } from './capture-filter.ts';
import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';

const hasTcpdump = spawnSync('tcpdump', ['--version']).status === 0;

const GOOD = [
  ['tcp', '(tcp)'],
  ['host 10.0.0.1', '(host 10.0.0.1)'],
  ['HOST 10.0.0.1', '(host 10.0.0.1)'],
  ['src 10.0.0.1', '(src host 10.0.0.1)'],
  ['ip6 dst host fe80::1', '(ip6 dst host fe80::1)'],
  ['src host ::1', '(src host ::1)'],
  ['net 10.0.0.0/8', '(net 10.0.0.0/8)'],
  ['dst net fd00::/8', '(dst net fd00::/8)'],
  ['port 53', '(port 53)'],
  ['tcp src port 0x50', '(tcp src port 80)'],
  ['src or dst port 53', '(src or dst port 53)'],
  ['udp src and dst portrange 1000-2000', '(udp src and dst portrange 1000-2000)'],
  ['src 10.0.0.1 or dst 10.0.0.2', '((src host 10.0.0.1) or (dst host 10.0.0.2))'],
  ['ether host 52:54:00:00:00:01', '(ether host 52:54:00:00:00:01)'],
  ['ether proto 0x88cc', '(ether proto 35020)'],
  ['ip proto 89 and not arp', '((ip proto 89) and (not (arp)))'],
  ['vlan 100 and icmp', '((vlan 100) and (icmp))'],
  ['vlan', '(vlan)'],
  ['geneve 5', '(geneve 5)'],
  ['greater 1000', '(greater 1000)'],
  ['ether broadcast or ip6 multicast', '((ether broadcast) or (ip6 multicast))'],
  ['udp or tcp and port 53', '(((udp) or (tcp)) and (port 53))'],
  ['!(udp&&port 53)||arp', '((not ((udp) and (port 53))) or (arp))'],
  ['  ( ( icmp ) )  ', '(icmp)'],
] as const;

describe('parseFilter', () => {
  it.each(GOOD)('reads %j', (text, printed) => {
    expect(printFilter(parseFilter(text))).toBe(printed);
  });

  it.each([
    ['', 'it is empty'],
    ['   ', 'it is empty'],
    ['host', 'it ends where an IP address, not a name, should be'],
    ['host example.org', '"example.org" at character 6 stands where an IP address, not a name, should be'],
    ['ip host fe80::1', 'where an IP address'],
    ['tcp and', 'it ends where a condition such as'],
    ['(tcp', 'it ends where ")" should be'],
    ['tcp)', '")" at character 4 stands where "and", "or" or the end should be'],
    ['tcp udp', '"udp" at character 5 stands where "and"'],
    ['port 65536', 'where a port from 0 to 65535 should be'],
    ['port http', '"http" at character 6 stands where a port'],
    ['portrange 9-1', 'where a range of ports'],
    ['vlan 5000', 'where the number of a vlan from 0 to 4095'],
    ['net 10.0.0.0', 'where a network such as'],
    ['net 10.0.0.0/33', 'where a network such as'],
    ['ether host 10.0.0.1', 'where a MAC address should be'],
    ['icmp host 10.0.0.1', 'what "icmp" can be about'],
    ['tcp[13] & 2 != 0', '"[" at character 4 is no part of a filter'],
    ['-w /etc/passwd', '"-" at character 1 is no part of a filter'],
    ['tcp; rm -rf /', '";" at character 4'],
    ['$(reboot)', '"$" at character 1'],
    ['`id`', '"`" at character 1'],
    ['tcp\u0000', '"\\u0000" at character 4'],
    ['a'.repeat(1_001), 'it has 1001 characters'],
    ['('.repeat(100) + 'tcp' + ')'.repeat(100), 'nested more than 32 deep'],
    ['not '.repeat(100) + 'tcp', 'nested more than 32 deep'],
    ['ip '.repeat(301), 'more than 300 words'],
  ])('refuses %j', (text, message) => {
    expect(() => parseFilter(text)).toThrow(message);
    expect(() => parseFilter(text)).toThrow(/^filter: /);
  });

  it('refuses whatever text it does not know, and never fails otherwise', () => {
    const words = fc.constantFrom(
      'tcp',
      'port',
      'host',
      'and',
      'or',
      'not',
      '(',
      ')',
      '-i',
      '10.0.0.1',
      'src',
      'dst',
      '5',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(words).map((some) => some.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcomeOf(text)).toMatch(/^(?:refused|\([a-z0-9:./() -]+\))$/);
      }),
    );
  });

  it('reads again what was printed', () => {
    fc.assert(
      fc.property(filters(), (filter) => {
        expect(parseFilter(printFilter(filter))).toEqual(filter);
      }),
    );
  });
});

describe.runIf(hasTcpdump)('tcpdump', () => {
  it('understands everything that is printed', () => {
    const refused = GOOD.map(([, printed]) => printed).filter((printed) => {
      const words = ['-y', 'EN10MB', '-d', printed];
      return spawnSync('tcpdump', words).status !== 0;
    });

    expect(refused).toEqual([]);
  });
});

function outcomeOf(text: string): string {
  try {
    return printFilter(parseFilter(text));
  } catch (error) {
    if (isOvsAgentError(error, 'invalid-request')) return 'refused';
    throw error;
  }
}

function filters(): fc.Arbitrary<CaptureFilter> {
  const directions = fc.constantFrom<FilterDirection | undefined>(undefined, 'src', 'dst', 'src or dst', 'src and dst');
  const ports = fc
    .tuple(fc.nat(65_535), fc.nat(65_535))
    .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
  const primitive = fc.oneof(
    fc.record({
      kind: fc.constant('host' as const),
      scope: fc.constant(undefined),
      direction: directions,
      address: fc.oneof(fc.ipV4(), fc.constant('fe80::1')),
    }),
    fc
      .tuple(directions, ports, fc.constantFrom('tcp' as const, 'udp' as const, undefined))
      .map(([direction, range, transport]) => ({ kind: 'port' as const, transport, direction, ...range })),
    fc.record({ kind: fc.constant('protocol' as const), name: fc.constantFrom('tcp' as const, 'icmp6' as const) }),
    fc.record({
      kind: fc.constant('label' as const),
      name: fc.constantFrom('vlan' as const, 'mpls' as const),
      id: fc.option(fc.nat(4_095), { nil: undefined }),
    }),
  );
  const { filter } = fc.letrec<{ filter: CaptureFilter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      primitive,
      fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('filter'), right: tie('filter') }),
    ),
  }));
  return filter;
}
