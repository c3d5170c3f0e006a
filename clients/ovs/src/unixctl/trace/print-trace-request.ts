import { isIPv4, isIPv6 } from 'node:net';

import { OvsError } from '../../ovs-error.ts';
import { checkName } from '../check-name.ts';
import {
  CONNTRACK_STATES,
  TCP_FLAGS,
  TRACE_PROTOCOLS,
  type TracePacket,
  type TraceProtocol,
  type TraceRequest,
} from './trace-request.ts';

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
const MOST_RECIRCULATIONS = 16;
const BITS_64 = 64;

/** The parameters of `ofproto/trace`. Every value is checked against the syntax of its field; one that does not fit is an OvsError `invalid-argument`. */
export function printTraceParameters({ bridge, packet, conntrack = [] }: TraceRequest): readonly string[] {
  if (conntrack.length > MOST_RECIRCULATIONS) {
    throw invalid('conntrack', conntrack.length, `give ${MOST_RECIRCULATIONS} states at most`);
  }
  const states = conntrack.flatMap((state, index) => ['--ct-next', printState(state, `conntrack[${index}]`)]);
  return ['--names', checkName('bridge', bridge), printPacket(packet), ...states];
}

/** The packet in the notation of ovs-ofctl: fields behind those that they need. */
export function printPacket(packet: TracePacket): string {
  const fields = [
    `in_port=${printInPort(packet.inPort)}`,
    ...printTunnel(packet),
    ...number('pkt_mark', 'packetMark', packet.packetMark, 0xffff_ffff),
    ...wide('metadata', 'metadata', packet.metadata),
    ...printRegisters(packet.registers ?? {}),
    ...mac('dl_src', 'ethernetSource', packet.ethernetSource),
    ...mac('dl_dst', 'ethernetDestination', packet.ethernetDestination),
    ...number('dl_vlan', 'vlan', packet.vlan, 4095),
    ...number('dl_vlan_pcp', 'vlanPriority', packet.vlanPriority, 7),
    ...printProtocol(packet),
    ...printAddresses(packet),
    ...number('nw_ttl', 'ttl', packet.ttl, 255),
    ...printTypeOfService(packet.typeOfService),
    ...printTransport(packet),
  ];
  return fields.join(',');
}

function printInPort(port: string | number): string {
  // The bridge's own port goes by this word too, which is no name and must not stand in quotes.
  if (port === 'LOCAL') return port;
  if (typeof port === 'string') return JSON.stringify(checkName('inPort', port));
  return String(checkNumber('inPort', port, 0xffff));
}

function printTunnel({ tunnelId, tunnelSource, tunnelDestination }: TracePacket): readonly string[] {
  return [
    ...wide('tun_id', 'tunnelId', tunnelId),
    ...ip('tun_src', 'tunnelSource', tunnelSource, 4),
    ...ip('tun_dst', 'tunnelDestination', tunnelDestination, 4),
  ];
}

function printRegisters(registers: Readonly<Record<number, number>>): readonly string[] {
  return Object.entries(registers).flatMap(([name, value]) => {
    const register = checkNumber('registers', Number(name), 15);
    return [`reg${register}=0x${checkNumber(`registers.${register}`, value, 0xffff_ffff).toString(16)}`];
  });
}

function printProtocol({ protocol, ethernetType, ipProtocol }: TracePacket): readonly string[] {
  if (protocol === undefined) {
    const type = ethernetType === undefined ? undefined : checkNumber('ethernetType', ethernetType, 0xffff);
    return type === undefined ? [] : [`dl_type=0x${type.toString(16).padStart(4, '0')}`];
  }
  if (!TRACE_PROTOCOLS.includes(protocol))
    throw invalid('protocol', protocol, `give one of ${TRACE_PROTOCOLS.join(', ')}`);
  if (ethernetType !== undefined) throw invalid('ethernetType', ethernetType, 'leave it out: protocol says it');
  const isOpen = protocol === 'ip' || protocol === 'ipv6';
  if (ipProtocol !== undefined && !isOpen) throw invalid('ipProtocol', ipProtocol, 'leave it out: protocol says it');
  return [protocol, ...number('nw_proto', 'ipProtocol', ipProtocol, 255)];
}

function printAddresses(packet: TracePacket): readonly string[] {
  const { protocol, ipSource, ipDestination } = packet;
  if (protocol === 'arp' || protocol === 'rarp') return printArp(packet);
  const isVersion6 = versionOf(protocol) === 6;
  if (protocol === undefined && (ipSource ?? ipDestination) !== undefined) {
    throw invalid('ipSource', ipSource ?? ipDestination ?? '', 'give protocol too: addresses alone say too little');
  }
  return [
    ...ip(isVersion6 ? 'ipv6_src' : 'nw_src', 'ipSource', ipSource, isVersion6 ? 6 : 4),
    ...ip(isVersion6 ? 'ipv6_dst' : 'nw_dst', 'ipDestination', ipDestination, isVersion6 ? 6 : 4),
  ];
}

function printArp({
  ipSource,
  ipDestination,
  arpOperation,
  arpSourceMac,
  arpTargetMac,
}: TracePacket): readonly string[] {
  return [
    ...number('arp_op', 'arpOperation', arpOperation, 0xff),
    ...ip('arp_spa', 'ipSource', ipSource, 4),
    ...ip('arp_tpa', 'ipDestination', ipDestination, 4),
    ...mac('arp_sha', 'arpSourceMac', arpSourceMac),
    ...mac('arp_tha', 'arpTargetMac', arpTargetMac),
  ];
}

function printTypeOfService(value: number | undefined): readonly string[] {
  if (value === undefined) return [];
  if ((checkNumber('typeOfService', value, 255) & 3) !== 0) {
    throw invalid('typeOfService', value, 'its two lowest bits are 0');
  }
  return [`nw_tos=${value}`];
}

function printTransport(packet: TracePacket): readonly string[] {
  const { sourcePort, destinationPort, tcpFlags, icmpType, icmpCode } = packet;
  const transport = packet.protocol?.replace('6', '') ?? '';
  const hasPorts = ['tcp', 'udp', 'sctp'].includes(transport);
  const isIcmp = transport === 'icmp';
  const icmp = packet.protocol === 'icmp6' ? 'icmpv6' : 'icmp';
  need('sourcePort', sourcePort ?? destinationPort, hasPorts, 'a protocol with ports');
  need('icmpType', icmpType ?? icmpCode, isIcmp, 'protocol icmp or icmp6');
  need('tcpFlags', tcpFlags, transport === 'tcp', 'protocol tcp or tcp6');
  need('neighborTarget', packet.neighborTarget, packet.protocol === 'icmp6', 'protocol icmp6');
  return [
    ...number(`${transport}_src`, 'sourcePort', sourcePort, 0xffff),
    ...number(`${transport}_dst`, 'destinationPort', destinationPort, 0xffff),
    ...(tcpFlags === undefined ? [] : [`tcp_flags=${printTcpFlags(tcpFlags)}`]),
    ...number(`${icmp}_type`, 'icmpType', icmpType, 255),
    ...number(`${icmp}_code`, 'icmpCode', icmpCode, 255),
    ...ip('nd_target', 'neighborTarget', packet.neighborTarget, 6),
  ];
}

function printTcpFlags(flags: readonly string[]): string {
  const unknown = flags.find((flag) => !(TCP_FLAGS as readonly string[]).includes(flag));
  if (unknown !== undefined) throw invalid('tcpFlags', unknown, `give some of ${TCP_FLAGS.join(', ')}`);
  return flags.length === 0 ? '0' : flags.join('|');
}

function printState(state: readonly string[], field: string): string {
  const unknown = state.find((flag) => !(CONNTRACK_STATES as readonly string[]).includes(flag));
  if (unknown !== undefined) throw invalid(field, unknown, `give some of ${CONNTRACK_STATES.join(', ')}`);
  if (state.length === 0) throw invalid(field, '', `give some of ${CONNTRACK_STATES.join(', ')}`);
  return state.join(',');
}

function versionOf(protocol: TraceProtocol | undefined): 4 | 6 {
  return protocol?.endsWith('6') === true ? 6 : 4;
}

function need(field: string, value: unknown, isMet: boolean, what: string): void {
  if (value !== undefined && !isMet) throw new OvsError('invalid-argument', `${field} needs ${what}: give it too`);
}

function number(name: string, field: string, value: number | undefined, max: number): readonly string[] {
  return value === undefined ? [] : [`${name}=${checkNumber(field, value, max)}`];
}

function wide(name: string, field: string, value: bigint | number | undefined): readonly string[] {
  if (value === undefined) return [];
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || BigInt.asUintN(BITS_64, BigInt(value)) !== BigInt(value)) {
    throw invalid(field, value, 'give a whole number of 64 bits');
  }
  return [`${name}=0x${value.toString(16)}`];
}

function mac(name: string, field: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!MAC.test(value)) throw invalid(field, value, 'give an address such as 52:54:00:00:00:01');
  return [`${name}=${value}`];
}

function ip(name: string, field: string, value: string | undefined, version: 4 | 6): readonly string[] {
  if (value === undefined) return [];
  const isAddress = version === 4 ? isIPv4(value) : isIPv6(value) && !value.includes('%');
  if (!isAddress)
    throw invalid(field, value, `give an IPv${version} address, without a mask: a packet has one address`);
  return [`${name}=${value}`];
}

function checkNumber(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw invalid(field, value, `give a whole number from 0 to ${max}`);
}

function invalid(field: string, value: string | number | bigint, next: string): OvsError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value);
  return new OvsError('invalid-argument', `${field} is ${shown}: ${next}`);
}
