/** How a value of a field is written. */
export type FieldFormat =
  | 'decimal'
  | 'hexadecimal'
  | 'port'
  | 'mac'
  | 'ipv4'
  | 'ipv6'
  | 'fragment'
  | 'conntrack-state'
  | 'tcp-flags'
  | 'tunnel-flags'
  | 'packet-type';

/** Name, long name, bits, format, and the numbers on the wire: `class:number`, or `class:experimenter:number`, in hexadecimal but for the last. */
export type FieldRow = readonly [string, string, number, FieldFormat, string];

const PACKET_FIELDS: readonly FieldRow[] = [
  ['eth_src', 'NXM_OF_ETH_SRC', 48, 'mac', '0:2 8000:4'],
  ['eth_dst', 'NXM_OF_ETH_DST', 48, 'mac', '0:1 8000:3'],
  ['eth_type', 'NXM_OF_ETH_TYPE', 16, 'hexadecimal', '0:3 8000:5'],
  ['vlan_tci', 'NXM_OF_VLAN_TCI', 16, 'hexadecimal', '0:4'],
  ['vlan_vid', 'OXM_OF_VLAN_VID', 12, 'decimal', '8000:6'],
  ['vlan_pcp', 'OXM_OF_VLAN_PCP', 3, 'decimal', '8000:7'],
  ['mpls_label', 'OXM_OF_MPLS_LABEL', 20, 'decimal', '8000:34'],
  ['mpls_tc', 'OXM_OF_MPLS_TC', 3, 'decimal', '8000:35'],
  ['mpls_bos', 'OXM_OF_MPLS_BOS', 1, 'decimal', '8000:36'],
  ['mpls_ttl', 'NXM_NX_MPLS_TTL', 8, 'decimal', '1:30'],
  ['ip_src', 'NXM_OF_IP_SRC', 32, 'ipv4', '0:7 8000:11'],
  ['ip_dst', 'NXM_OF_IP_DST', 32, 'ipv4', '0:8 8000:12'],
  ['ipv6_src', 'NXM_NX_IPV6_SRC', 128, 'ipv6', '1:19 8000:26'],
  ['ipv6_dst', 'NXM_NX_IPV6_DST', 128, 'ipv6', '1:20 8000:27'],
  ['ipv6_label', 'NXM_NX_IPV6_LABEL', 20, 'hexadecimal', '1:27 8000:28'],
  ['nw_proto', 'NXM_OF_IP_PROTO', 8, 'decimal', '0:6 8000:10'],
  ['nw_tos', 'NXM_OF_IP_TOS', 8, 'decimal', '0:5'],
  ['ip_dscp', 'OXM_OF_IP_DSCP', 6, 'decimal', '8000:8'],
  ['nw_ecn', 'NXM_NX_IP_ECN', 2, 'decimal', '1:28 8000:9'],
  ['nw_ttl', 'NXM_NX_IP_TTL', 8, 'decimal', '1:29'],
  ['ip_frag', 'NXM_NX_IP_FRAG', 2, 'fragment', '1:26'],
  ['arp_op', 'NXM_OF_ARP_OP', 16, 'decimal', '0:15 8000:21'],
  ['arp_spa', 'NXM_OF_ARP_SPA', 32, 'ipv4', '0:16 8000:22'],
  ['arp_tpa', 'NXM_OF_ARP_TPA', 32, 'ipv4', '0:17 8000:23'],
  ['arp_sha', 'NXM_NX_ARP_SHA', 48, 'mac', '1:17 8000:24'],
  ['arp_tha', 'NXM_NX_ARP_THA', 48, 'mac', '1:18 8000:25'],
  ['tcp_src', 'NXM_OF_TCP_SRC', 16, 'decimal', '0:9 8000:13'],
  ['tcp_dst', 'NXM_OF_TCP_DST', 16, 'decimal', '0:10 8000:14'],
  ['tcp_flags', 'NXM_NX_TCP_FLAGS', 12, 'tcp-flags', '1:34 ffff:4f4e4600:42 8000:42'],
  ['udp_src', 'NXM_OF_UDP_SRC', 16, 'decimal', '0:11 8000:15'],
  ['udp_dst', 'NXM_OF_UDP_DST', 16, 'decimal', '0:12 8000:16'],
  ['sctp_src', 'OXM_OF_SCTP_SRC', 16, 'decimal', '8000:17'],
  ['sctp_dst', 'OXM_OF_SCTP_DST', 16, 'decimal', '8000:18'],
  ['icmp_type', 'NXM_OF_ICMP_TYPE', 8, 'decimal', '0:13 8000:19'],
  ['icmp_code', 'NXM_OF_ICMP_CODE', 8, 'decimal', '0:14 8000:20'],
  ['icmpv6_type', 'NXM_NX_ICMPV6_TYPE', 8, 'decimal', '1:21 8000:29'],
  ['icmpv6_code', 'NXM_NX_ICMPV6_CODE', 8, 'decimal', '1:22 8000:30'],
  ['nd_target', 'NXM_NX_ND_TARGET', 128, 'ipv6', '1:23 8000:31'],
  ['nd_sll', 'NXM_NX_ND_SLL', 48, 'mac', '1:24 8000:32'],
  ['nd_tll', 'NXM_NX_ND_TLL', 48, 'mac', '1:25 8000:33'],
  ['nsh_flags', 'NXOXM_NSH_FLAGS', 8, 'decimal', 'ffff:5ad650:1'],
  ['nsh_mdtype', 'NXOXM_NSH_MDTYPE', 8, 'decimal', 'ffff:5ad650:2'],
  ['nsh_np', 'NXOXM_NSH_NP', 8, 'decimal', 'ffff:5ad650:3'],
  ['nsh_spi', 'NXOXM_NSH_SPI', 24, 'hexadecimal', 'ffff:5ad650:4'],
  ['nsh_si', 'NXOXM_NSH_SI', 8, 'decimal', 'ffff:5ad650:5'],
  ['nsh_ttl', 'NXOXM_NSH_TTL', 8, 'decimal', 'ffff:5ad650:10'],
];

const SWITCH_FIELDS: readonly FieldRow[] = [
  ['dp_hash', 'NXM_NX_DP_HASH', 32, 'hexadecimal', '1:35 ffff:2320:0'],
  ['recirc_id', 'NXM_NX_RECIRC_ID', 32, 'decimal', '1:36'],
  ['packet_type', 'OXM_OF_PACKET_TYPE', 32, 'packet-type', '8000:44'],
  ['conj_id', 'NXM_NX_CONJ_ID', 32, 'decimal', '1:37'],
  ['metadata', 'OXM_OF_METADATA', 64, 'hexadecimal', '8000:2'],
  ['in_port', 'NXM_OF_IN_PORT', 16, 'port', '0:0'],
  ['in_port_oxm', 'OXM_OF_IN_PORT', 32, 'port', '8000:0'],
  ['actset_output', 'ONFOXM_ET_ACTSET_OUTPUT', 32, 'port', 'ffff:4f4e4600:43 8000:43'],
  ['pkt_mark', 'NXM_NX_PKT_MARK', 32, 'hexadecimal', '1:33'],
  ['tun_id', 'NXM_NX_TUN_ID', 64, 'hexadecimal', '1:16 8000:38'],
  ['tun_src', 'NXM_NX_TUN_IPV4_SRC', 32, 'ipv4', '1:31'],
  ['tun_dst', 'NXM_NX_TUN_IPV4_DST', 32, 'ipv4', '1:32'],
  ['tun_ipv6_src', 'NXM_NX_TUN_IPV6_SRC', 128, 'ipv6', '1:109'],
  ['tun_ipv6_dst', 'NXM_NX_TUN_IPV6_DST', 128, 'ipv6', '1:110'],
  ['tun_flags', 'NXM_NX_TUN_FLAGS', 16, 'tunnel-flags', '1:104'],
  ['tun_gbp_id', 'NXM_NX_TUN_GBP_ID', 16, 'decimal', '1:38'],
  ['tun_gbp_flags', 'NXM_NX_TUN_GBP_FLAGS', 8, 'hexadecimal', '1:39'],
  ['ct_state', 'NXM_NX_CT_STATE', 32, 'conntrack-state', '1:105'],
  ['ct_zone', 'NXM_NX_CT_ZONE', 16, 'hexadecimal', '1:106'],
  ['ct_mark', 'NXM_NX_CT_MARK', 32, 'hexadecimal', '1:107'],
  ['ct_label', 'NXM_NX_CT_LABEL', 128, 'hexadecimal', '1:108'],
  ['ct_nw_proto', 'NXM_NX_CT_NW_PROTO', 8, 'decimal', '1:119'],
  ['ct_nw_src', 'NXM_NX_CT_NW_SRC', 32, 'ipv4', '1:120'],
  ['ct_nw_dst', 'NXM_NX_CT_NW_DST', 32, 'ipv4', '1:121'],
  ['ct_ipv6_src', 'NXM_NX_CT_IPV6_SRC', 128, 'ipv6', '1:122'],
  ['ct_ipv6_dst', 'NXM_NX_CT_IPV6_DST', 128, 'ipv6', '1:123'],
  ['ct_tp_src', 'NXM_NX_CT_TP_SRC', 16, 'decimal', '1:124'],
  ['ct_tp_dst', 'NXM_NX_CT_TP_DST', 16, 'decimal', '1:125'],
];

/** Fields that come in a row of equals: registers, their pairs and fours, and the options of tunnels. */
const NUMBERED_FIELDS: readonly FieldRow[] = [
  ...numbered(16, (n) => [`reg${n}`, `NXM_NX_REG${n}`, 32, 'hexadecimal', `1:${n}`]),
  ...numbered(8, (n) => [`xreg${n}`, `OXM_OF_PKT_REG${n}`, 64, 'hexadecimal', `8001:${n}`]),
  ...numbered(4, (n) => [`xxreg${n}`, `NXM_NX_XXREG${n}`, 128, 'hexadecimal', `1:${111 + n}`]),
  ...numbered(64, (n) => [`tun_metadata${n}`, `NXM_NX_TUN_METADATA${n}`, 992, 'hexadecimal', `1:${40 + n}`]),
  ...numbered(4, (n) => [`nsh_c${n + 1}`, `NXOXM_NSH_C${n + 1}`, 32, 'hexadecimal', `ffff:5ad650:${6 + n}`]),
];

/** Every field that is known. */
export const FIELD_ROWS: readonly FieldRow[] = [...PACKET_FIELDS, ...SWITCH_FIELDS, ...NUMBERED_FIELDS];

function numbered(count: number, row: (number: number) => FieldRow): readonly FieldRow[] {
  return Array.from({ length: count }, (_, number) => row(number));
}
