import { narrowPort, printPort } from '../port-number.ts';
import { protocolOf } from './packet-protocol.ts';
import type { MatchField } from './match-field.ts';
import { type Masked, packetFields, type PacketFields } from './packet-fields.ts';
import { printMac } from './print-address.ts';
import { CONNTRACK_FLAGS, printFlags, printMaskedFlags, TCP_FLAGS, TUNNEL_FLAGS } from './print-flags.ts';
import { printFragment, printHex, printMaskedIpv4, printMaskedIpv6, printValue } from './print-value.ts';

/** How a field is written, or undefined to leave it out. */
type Printer = (field: Masked, fields: PacketFields) => string | undefined;

/** The fields in the order in which ovs-ofctl writes them, before and after the word for the protocol. */
const BEFORE: readonly (readonly [string, Printer])[] = [
  ['pkt_mark', named('pkt_mark', hex(32))],
  ['recirc_id', named('recirc_id', hex(32))],
  ['dp_hash', named('dp_hash', hex(32))],
  ['conj_id', named('conj_id', (field) => String(field.value))],
  ['actset_output', named('actset_output', port)],
  ['ct_state', named('ct_state', conntrackState)],
  ['ct_zone', named('ct_zone', decimal(16))],
  ['ct_mark', named('ct_mark', hex(32))],
  ['ct_label', named('ct_label', hex(128))],
  ['ct_nw_src', named('ct_nw_src', ipv4)],
  ['ct_ipv6_src', named('ct_ipv6_src', ipv6)],
  ['ct_nw_dst', named('ct_nw_dst', ipv4)],
  ['ct_ipv6_dst', named('ct_ipv6_dst', ipv6)],
  ['ct_nw_proto', named('ct_nw_proto', (field) => String(field.value))],
  ['ct_tp_src', named('ct_tp_src', decimal(16))],
  ['ct_tp_dst', named('ct_tp_dst', decimal(16))],
  ['packet_type', named('packet_type', ({ value }) => `(${value >> 16n},${printHex(value & 0xffffn)})`)],
];

const AFTER: readonly (readonly [string, Printer])[] = [
  ...Array.from({ length: 16 }, (_, n): [string, Printer] => [`reg${n}`, named(`reg${n}`, hex(32))]),
  ['tun_id', named('tun_id', hex(64))],
  ['tun_src', named('tun_src', ipv4)],
  ['tun_dst', named('tun_dst', ipv4)],
  ['tun_ipv6_src', named('tun_ipv6_src', ipv6)],
  ['tun_ipv6_dst', named('tun_ipv6_dst', ipv6)],
  ['tun_gbp_id', named('tun_gbp_id', decimal(16))],
  ['tun_gbp_flags', named('tun_gbp_flags', (field) => printHex(field.value))],
  ['tun_flags', named('tun_flags', tunnelFlags)],
  ...Array.from({ length: 64 }, (_, n): [string, Printer] => [
    `tun_metadata${n}`,
    named(`tun_metadata${n}`, tunnelMetadata),
  ]),
  ['metadata', named('metadata', hex(64))],
  ['in_port', named('in_port', port)],
  ['in_port_oxm', named('in_port', port)],
  ['vlan_tci', vlan],
  ['eth_src', named('dl_src', mac)],
  ['eth_dst', named('dl_dst', mac)],
  ['eth_type', (field, fields) => (protocolOf(fields).hidesType ? undefined : `dl_type=${hexWidth(field.value, 4)}`)],
  ['ipv6_src', named('ipv6_src', ipv6)],
  ['ipv6_dst', named('ipv6_dst', ipv6)],
  ['ipv6_label', named('ipv6_label', ipv6Label)],
  ['ip_src', named('nw_src', ipv4)],
  ['ip_dst', named('nw_dst', ipv4)],
  ['arp_spa', named('arp_spa', ipv4)],
  ['arp_tpa', named('arp_tpa', ipv4)],
  ['nw_proto', (field, fields) => (protocolOf(fields).hidesNumber ? undefined : `nw_proto=${field.value}`)],
  ['arp_op', named('arp_op', (field) => String(field.value))],
  ['arp_sha', named('arp_sha', mac)],
  ['arp_tha', named('arp_tha', mac)],
  ['nw_tos', named('nw_tos', (field) => String(field.value & 0xfcn))],
  ['ip_dscp', named('nw_tos', (field) => String(field.value << 2n))],
  ['nw_ecn', named('nw_ecn', (field) => String(field.value))],
  ['nw_ttl', named('nw_ttl', (field) => String(field.value))],
  ['mpls_label', named('mpls_label', (field) => String(field.value))],
  ['mpls_tc', named('mpls_tc', (field) => String(field.value))],
  ['mpls_ttl', named('mpls_ttl', (field) => String(field.value))],
  ['mpls_bos', named('mpls_bos', (field) => String(field.value))],
  ['ip_frag', named('nw_frag', (field) => printFragment(field.value, field.mask))],
  ...['icmp', 'icmpv6'].flatMap((kind): (readonly [string, Printer])[] => [
    [`${kind}_type`, named('icmp_type', (field) => String(field.value))],
    [`${kind}_code`, named('icmp_code', (field) => String(field.value))],
  ]),
  ['nd_target', named('nd_target', ipv6)],
  ['nd_sll', named('nd_sll', mac)],
  ['nd_tll', named('nd_tll', mac)],
  ...['tcp', 'udp', 'sctp'].flatMap((kind): (readonly [string, Printer])[] => [
    [`${kind}_src`, named('tp_src', decimal(16))],
    [`${kind}_dst`, named('tp_dst', decimal(16))],
  ]),
  ['tcp_flags', named('tcp_flags', tcpFlags)],
];

const PRINTED: ReadonlySet<string> = new Set([...BEFORE, ...AFTER].map(([name]) => name));

/** A match in the notation of ovs-ofctl, without the priority. Fields that it does not know stand at the end. */
export function printMatch(match: readonly MatchField[]): string {
  const fields = packetFields(match);
  const { word } = protocolOf(fields);
  const rest = match
    .filter(({ field }) => !PRINTED.has(field.name) && !/^vlan_|^x{1,2}reg/.test(field.name))
    .map((field) => `${field.field.name}=${printValue(field)}`);
  return [...print(BEFORE, fields), ...(word === undefined ? [] : [word]), ...print(AFTER, fields), ...rest].join(',');
}

function print(printers: readonly (readonly [string, Printer])[], fields: PacketFields): readonly string[] {
  return printers.flatMap(([name, printer]) => {
    const field = fields.get(name);
    const text = field === undefined || field.mask === 0n ? undefined : printer(field, fields);
    return text === undefined ? [] : [text];
  });
}

function named(name: string, value: (field: Masked) => string): Printer {
  return (field) => `${name}=${value(field)}`;
}

function hex(bits: number): (field: Masked) => string {
  const all = (1n << BigInt(bits)) - 1n;
  return ({ value, mask }) => (mask === all ? printHex(value) : `${printHex(value)}/${printHex(mask)}`);
}

function decimal(bits: number): (field: Masked) => string {
  const all = (1n << BigInt(bits)) - 1n;
  return ({ value, mask }) => (mask === all ? String(value) : `0x${value.toString(16)}/0x${mask.toString(16)}`);
}

function port({ value }: Masked): string {
  return printPort(narrowPort(Number(value)));
}

function ipv4({ value, mask }: Masked): string {
  return printMaskedIpv4(value, mask);
}

function ipv6({ value, mask }: Masked): string {
  return printMaskedIpv6(value, mask);
}

function mac({ value, mask }: Masked): string {
  return mask === 0xffff_ffff_ffffn ? printMac(value) : `${printMac(value)}/${printMac(mask)}`;
}

function conntrackState({ value, mask }: Masked): string {
  return (mask & 0xffn) === 0xffn ? printFlags(value, CONNTRACK_FLAGS) : printMaskedFlags(value, mask, CONNTRACK_FLAGS);
}

function tcpFlags({ value, mask }: Masked): string {
  return (mask & 0xfffn) === 0xfffn ? printFlags(value, TCP_FLAGS) : printMaskedFlags(value, mask, TCP_FLAGS);
}

function tunnelFlags({ value, mask }: Masked): string {
  return printMaskedFlags(value, mask, TUNNEL_FLAGS);
}

/** Its width is known to the switch alone: a mask of nothing but ones is taken for the whole of it. */
function tunnelMetadata({ value, mask }: Masked): string {
  return (mask & (mask + 1n)) === 0n ? printHex(value) : `${printHex(value)}/${printHex(mask)}`;
}

function ipv6Label({ value, mask }: Masked): string {
  const text = hexWidth(value, 5);
  return (mask & 0xf_ffffn) === 0xf_ffffn ? text : `${text}/${hexWidth(mask, 5)}`;
}

function vlan({ value, mask }: Masked): string {
  const id = mask & 0xfffn;
  const priority = mask & 0xe000n;
  const isTagged = (mask & value & 0x1000n) !== 0n;
  const areWhole = (id === 0n || id === 0xfffn) && (priority === 0n || priority === 0xe000n);
  if (!isTagged || !areWhole || (id === 0n && priority === 0n)) {
    const text = `vlan_tci=${hexWidth(value, 4)}`;
    return mask === 0xffffn ? text : `${text}/${hexWidth(mask, 4)}`;
  }
  const parts = [id === 0n ? '' : `dl_vlan=${value & 0xfffn}`, priority === 0n ? '' : `dl_vlan_pcp=${value >> 13n}`];
  return parts.filter((part) => part !== '').join(',');
}

function hexWidth(value: bigint, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
