export const TRACE_PROTOCOLS = [
  'arp',
  'rarp',
  'ip',
  'ipv6',
  'icmp',
  'icmp6',
  'tcp',
  'tcp6',
  'udp',
  'udp6',
  'sctp',
  'sctp6',
] as const;
export type TraceProtocol = (typeof TRACE_PROTOCOLS)[number];

export const TCP_FLAGS = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] as const;
export type TcpFlag = (typeof TCP_FLAGS)[number];

export const CONNTRACK_STATES = ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'] as const;
export type ConntrackState = (typeof CONNTRACK_STATES)[number];

/**
 * A packet to trace, field by field. Texts are checked against the syntax of their field before anything is sent:
 * MAC `52:54:00:00:00:01`, IPv4 `192.168.7.1`, IPv6 `fe80::1`.
 */
export interface TracePacket {
  /** The name of a port of the bridge, or its OpenFlow number. The switch takes a port that does not exist without a word. */
  readonly inPort: string | number;
  /** What the packet carries; addresses and ports come beside it. */
  readonly protocol?: TraceProtocol;
  readonly ethernetSource?: string;
  readonly ethernetDestination?: string;
  /** Only without `protocol`. */
  readonly ethernetType?: number;
  readonly vlan?: number;
  readonly vlanPriority?: number;
  /** Of ARP too. */
  readonly ipSource?: string;
  readonly ipDestination?: string;
  /** Only with `protocol` ip or ipv6. */
  readonly ipProtocol?: number;
  readonly ttl?: number;
  /** The TOS byte; its two lowest bits are 0. */
  readonly typeOfService?: number;
  readonly sourcePort?: number;
  readonly destinationPort?: number;
  /** The flags that are set, such as `syn` and `ack`; the others are not set. */
  readonly tcpFlags?: readonly TcpFlag[];
  readonly icmpType?: number;
  readonly icmpCode?: number;
  readonly arpOperation?: number;
  readonly arpSourceMac?: string;
  readonly arpTargetMac?: string;
  readonly neighborTarget?: string;
  readonly tunnelId?: bigint | number;
  readonly tunnelSource?: string;
  readonly tunnelDestination?: string;
  readonly packetMark?: number;
  readonly metadata?: bigint | number;
  /** Registers 0 to 15. */
  readonly registers?: Readonly<Record<number, number>>;
}

export interface TraceRequest {
  readonly bridge: string;
  readonly packet: TracePacket;
  /** What connection tracking says at each recirculation, in order; `trk,new` where none is said. */
  readonly conntrack?: readonly (readonly ConntrackState[])[];
}
