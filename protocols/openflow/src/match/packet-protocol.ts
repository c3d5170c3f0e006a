import type { PacketFields } from './packet-fields.ts';

/** The word that stands for the kind of packet, and what need not be written beside it. */
export interface PacketProtocol {
  readonly word: string | undefined;
  readonly hidesType: boolean;
  readonly hidesNumber: boolean;
}

const IPV4 = 0x0800n;
const IPV6 = 0x86ddn;

const TYPES: ReadonlyMap<bigint, string> = new Map([
  [IPV4, 'ip'],
  [IPV6, 'ipv6'],
  [0x0806n, 'arp'],
  [0x8035n, 'rarp'],
  [0x8847n, 'mpls'],
  [0x8848n, 'mplsm'],
]);

const IPV4_WORDS: ReadonlyMap<bigint, string> = new Map([
  [1n, 'icmp'],
  [6n, 'tcp'],
  [17n, 'udp'],
  [132n, 'sctp'],
]);

const IPV6_WORDS: ReadonlyMap<bigint, string> = new Map([
  [58n, 'icmp6'],
  [6n, 'tcp6'],
  [17n, 'udp6'],
  [132n, 'sctp6'],
]);

/** What kind of packet a match asks for. */
export function protocolOf(fields: PacketFields): PacketProtocol {
  const type = fields.get('eth_type')?.value;
  const number = fields.get('nw_proto')?.value;
  if (type === undefined) return { word: undefined, hidesType: false, hidesNumber: false };
  const inner = number === undefined ? undefined : innerWord(type, number);
  const word = inner ?? TYPES.get(type);
  return { word, hidesType: word !== undefined, hidesNumber: inner !== undefined };
}

function innerWord(type: bigint, number: bigint): string | undefined {
  if (type === IPV4) return IPV4_WORDS.get(number);
  return type === IPV6 ? IPV6_WORDS.get(number) : undefined;
}
