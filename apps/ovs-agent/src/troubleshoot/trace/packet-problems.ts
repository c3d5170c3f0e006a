import { isIP, isIPv6 } from 'node:net';

import type { JsonObject } from '@smalt/json';

import type { FieldProblem } from '../../ovs-agent-error.ts';

const PORTS: ReadonlySet<string> = new Set(['tcp', 'tcp6', 'udp', 'udp6', 'sctp', 'sctp6']);
const IPV6: ReadonlySet<string> = new Set(['ipv6', 'icmp6', 'tcp6', 'udp6', 'sctp6']);
const ARP: ReadonlySet<string> = new Set(['arp', 'rarp']);

/** Which protocols a field makes sense with, and how to say that. */
const NEEDED: readonly {
  readonly fields: readonly string[];
  readonly fits: (protocol: string) => boolean;
  readonly of: string;
}[] = [
  { fields: ['sourcePort', 'destinationPort'], fits: (protocol) => PORTS.has(protocol), of: 'tcp, udp or sctp' },
  { fields: ['tcpFlags'], fits: (protocol) => protocol === 'tcp' || protocol === 'tcp6', of: 'tcp' },
  {
    fields: ['icmpType', 'icmpCode'],
    fits: (protocol) => protocol === 'icmp' || protocol === 'icmp6',
    of: 'icmp or icmp6',
  },
  { fields: ['neighborTarget'], fits: (protocol) => protocol === 'icmp6', of: 'icmp6' },
  {
    fields: ['arpOperation', 'arpSourceMac', 'arpTargetMac'],
    fits: (protocol) => ARP.has(protocol),
    of: 'arp or rarp',
  },
  { fields: ['ttl', 'typeOfService'], fits: (protocol) => protocol !== '' && !ARP.has(protocol), of: 'ip' },
  { fields: ['ipSource', 'ipDestination'], fits: (protocol) => protocol !== '', of: 'ip or arp' },
  { fields: ['ethernetType'], fits: (protocol) => protocol === '', of: 'none: it says the same' },
  { fields: ['ipProtocol'], fits: (protocol) => protocol === 'ip' || protocol === 'ipv6', of: 'ip or ipv6' },
];

/** What of a packet does not go together. OVS would complain of one field at a time, and in its own words. */
export function packetProblems(packet: JsonObject): readonly FieldProblem[] {
  const { protocol: given = '', typeOfService } = packet;
  const protocol = typeof given === 'string' ? given : '';
  const misplaced = NEEDED.filter(({ fits }) => !fits(protocol)).flatMap(({ fields, of }) =>
    fields
      .filter((name) => packet[name] !== undefined)
      .map((name) => ({ field: `packet.${name}`, message: `goes with the protocol ${of}` })),
  );
  const wrongFamily = ['ipSource', 'ipDestination'].filter((name) => isOtherFamily(packet[name], protocol));
  const hasLowBits = typeof typeOfService === 'number' && typeOfService % 4 !== 0;
  const bits = hasLowBits
    ? [{ field: 'packet.typeOfService', message: 'must be a multiple of 4: its lowest bits are not part of it' }]
    : [];
  const version = IPV6.has(protocol) ? 6 : 4;
  const families = wrongFamily.map((name) => ({
    field: `packet.${name}`,
    message: `must be an address of IPv${version} with the protocol ${protocol}`,
  }));
  return [...misplaced, ...families, ...bits];
}

function isOtherFamily(address: unknown, protocol: string): boolean {
  return (
    protocol !== '' && typeof address === 'string' && isIP(address) !== 0 && isIPv6(address) !== IPV6.has(protocol)
  );
}
