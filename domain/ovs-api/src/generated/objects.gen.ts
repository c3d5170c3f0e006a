// Written by 'npm run generate' from domain/ovs-api/kinds. Change the declarations there instead.

import type { ObjectMeta } from '@smalt/kubernetes';

/** Open vSwitch on one node, as its agent sees it. It has the name of the node. */
export interface OVSNode {
  readonly apiVersion: 'ovs.c5c3.io/v1alpha1';
  readonly kind: 'OVSNode';
  readonly metadata: ObjectMeta;
  /** Which node this is about. The agent writes it. */
  readonly spec: OVSNodeSpec;
  /** What is known about Open vSwitch on the node. */
  readonly status?: OVSNodeStatus;
}

/** Which node this is about. The agent writes it. */
export interface OVSNodeSpec {
  /** The node whose Open vSwitch this is. */
  readonly nodeRef: NodeReference;
}

/** Names a node of the cluster. */
export interface NodeReference {
  /** The name of the node. */
  readonly name: string;
}

/** What is known about Open vSwitch on the node. */
export interface OVSNodeStatus {
  /** The bridges. */
  readonly bridges?: readonly Bridge[];
  /** What is the case with Open vSwitch. */
  readonly conditions?: readonly OVSNodeCondition[];
  /** Whether packets are handled in user space by DPDK. */
  readonly dpdkEnabled?: boolean;
  /** The version of DPDK. */
  readonly dpdkVersion?: string;
  /** How many flows there are. */
  readonly flowStats?: FlowStats;
  /** The interfaces it uses. */
  readonly interfaces?: Interfaces;
  /** What an operator should look at. */
  readonly issues?: readonly Issue[];
  /** Counters since it was started. */
  readonly metrics?: Metrics;
  /** The agent of OVN on the node. */
  readonly ovnController?: OVNController;
  /** The version of Open vSwitch. */
  readonly ovsVersion?: string;
  /** The version of its database server. */
  readonly ovsdVersion?: string;
}

/** A bridge of Open vSwitch. */
export interface Bridge {
  /** `system` for the kernel, `netdev` for user space. */
  readonly datapathType?: string;
  /** How many OpenFlow flows it has. */
  readonly flows?: number;
  /** The name of the bridge. */
  readonly name: string;
  /** How many ports it has. */
  readonly ports?: number;
  /** `Active` when it works; else `Failed`, `NoDatapath`, `Silent`, `Disconnected`, `Missing`, or `Unknown` where nobody can tell. */
  readonly status?: string;
}

/** A fact about Open vSwitch on the node. */
export interface OVSNodeCondition {
  /** When the status last changed. */
  readonly lastTransitionTime?: string;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** The generation of the object that this was judged by. */
  readonly observedGeneration?: number;
  /** Why the status is what it is, as one CamelCase word. */
  readonly reason?: string;
  /** Whether the condition holds. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** What the condition is about. */
  readonly type: string;
}

/** How many flows there are. */
export interface FlowStats {
  /** The flows by table. */
  readonly flowsPerTable?: readonly TableFlows[];
  /** All flows of all bridges. */
  readonly totalFlows?: number;
}

/** The flows of one OpenFlow table. */
export interface TableFlows {
  /** How many flows it has. */
  readonly flows: number;
  /** The number of the table. */
  readonly table: number;
}

/** The interfaces of the host that Open vSwitch uses. */
export interface Interfaces {
  /** The bonds. */
  readonly bonds?: readonly Bond[];
  /** The network cards. */
  readonly physical?: readonly PhysicalInterface[];
}

/** Several network cards that act as one. */
export interface Bond {
  /** How many members carry traffic. */
  readonly activeMembers?: number;
  /** How many members it has. */
  readonly members?: number;
  /** How traffic is spread, such as `balance-tcp`. */
  readonly mode?: string;
  /** The name of the bond. */
  readonly name: string;
  /** `Active` when all members carry traffic; else `Degraded`, `Down`, or `Unknown` where nobody can tell. */
  readonly status?: string;
}

/** A network card of the host that Open vSwitch uses. */
export interface PhysicalInterface {
  /** The bond it is a member of. */
  readonly bond?: string;
  /** The name of the interface. */
  readonly name: string;
  /** The speed of its link, such as `25Gbps`. */
  readonly speed?: string;
  /** `Up`, `Down`, or `Unknown` where nobody can tell. */
  readonly status?: string;
}

/** Something an operator should look at. */
export interface Issue {
  /** What to do next. Names in a command are quoted for a shell. */
  readonly advice?: string;
  /** When it was first seen. */
  readonly detectedAt?: string;
  /** What is wrong. */
  readonly message: string;
  /** The rule that found it, as one CamelCase word. */
  readonly reason?: string;
  /** How bad it is: `Critical`, `Warning` or `Info`. */
  readonly severity: string;
  /** What it is about: a port, a bridge, a bond or a daemon. */
  readonly subject?: string;
}

/** Counters since Open vSwitch was started. */
export interface Metrics {
  /** Bytes that came in. */
  readonly bytesReceived?: number;
  /** Bytes that went out. */
  readonly bytesSent?: number;
  /** Packets that were dropped. */
  readonly drops?: number;
  /** Packets that were damaged. */
  readonly errors?: number;
  /** Packets that came in. */
  readonly packetsReceived?: number;
  /** Packets that went out. */
  readonly packetsSent?: number;
}

/** The agent of OVN on the node. */
export interface OVNController {
  /** Its id in the southbound database. */
  readonly chassisId?: string;
  /** Whether it is connected to the southbound database. */
  readonly connected?: boolean;
  /** Where the southbound database is, such as `tcp:10.0.0.10:6642`. */
  readonly sbConnection?: string;
}
