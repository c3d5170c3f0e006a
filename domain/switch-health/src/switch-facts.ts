/**
 * What was found out about Open vSwitch on one node. Nothing in it is judged. Times are milliseconds since 1970 of one
 * clock that nobody sets while the agent runs: what has lasted, and what is new, is told by it.
 */
export interface SwitchFacts {
  readonly at: number;
  /** How far the clock on the wall is ahead of that one now, for times that people are told. */
  readonly wallAheadMs: number;
  readonly database: DatabaseFacts;
  readonly vswitchd: DaemonFacts;
  readonly ovsdbServer: DaemonFacts;
  /** What the database says, or said last. Undefined until it was read once. */
  readonly configuration: SwitchConfiguration | undefined;
  /** What OpenFlow answered, by the name of the bridge. */
  readonly flowTables: ReadonlyMap<string, Answer<readonly FlowTableFacts[]>>;
  /** What `bond/show` answered, by the name of the port with several interfaces. `known` and undefined: no such bond. */
  readonly bonds: ReadonlyMap<string, Answer<BondFacts | undefined>>;
  /** Speeds that the kernel tells, in bit/s, for interfaces whose speed the database leaves out. */
  readonly kernelSpeeds: ReadonlyMap<string, bigint>;
  /** Undefined where nothing of OVN is configured or running. */
  readonly ovn: OvnFacts | undefined;
  /** The target devices of all libvirt domains on the host, where libvirt can be asked. */
  readonly guestDevices: Answer<ReadonlySet<string>> | undefined;
  /** The values of `external_ids:smalt-capture` of captures that run now: their mirrors are no leftovers. */
  readonly runningCaptures?: ReadonlySet<string>;
}

/** Something that was asked for: what was answered and when, or why there is no answer and since when. */
export type Answer<T> =
  | { readonly kind: 'known'; readonly value: T; readonly at: number }
  | { readonly kind: 'unknown'; readonly why: string; readonly since: number };

/**
 * Whose trouble it is that the southbound database was not read. `server`: it refused us, or took our connection and did
 * not answer. `ours`: the agent did not get as far as that, because of a path, a right, a certificate or a remote that
 * cannot be read, or because it has only just begun. `unconfigured`: the agent has no settings for such a remote, as
 * for `ssl:` without files; nobody need be told.
 */
export type SouthboundObstacle = 'server' | 'ours' | 'unconfigured';

/** What the southbound database answered, or whose trouble it is that there is no answer. */
export type SouthboundAnswer =
  | Extract<Answer<SouthboundFacts>, { kind: 'known' }>
  | (Extract<Answer<never>, { kind: 'unknown' }> & { readonly obstacle: SouthboundObstacle });

/** Our own connection to ovsdb-server. `silent`: it is open, but nothing was answered within the deadline. */
export interface DatabaseFacts {
  readonly state: 'connected' | 'silent' | 'disconnected';
  readonly since: number;
  readonly why?: string;
  readonly schemaVersion?: string;
}

/** A daemon and its control socket. `silent`: the process lives and does not answer; `gone`: a pid file or socket without a process; `absent`: no trace of it. */
export interface DaemonFacts {
  readonly state: 'answering' | 'silent' | 'gone' | 'absent';
  readonly since: number;
  readonly why?: string;
  readonly processId?: number;
  /** As `version` answered: `3.1.0`. */
  readonly version?: string;
}

/** The tables of the Open_vSwitch database, as far as they are looked at. */
export interface SwitchConfiguration {
  readonly ovsVersion: string | undefined;
  readonly isDpdkInitialized: boolean;
  readonly dpdkVersion: string | undefined;
  readonly externalIds: ReadonlyMap<string, string>;
  /** The name that ovn-controller gives its chassis, where it was told another than `external_ids:system-id`: by `-n` or a file. */
  readonly chassis?: string;
  /** How far ovs-vswitchd is behind what was asked of it: `next_cfg` and `cur_cfg`. */
  readonly nextConfiguration: bigint;
  readonly currentConfiguration: bigint;
  readonly bridges: readonly BridgeFacts[];
}

export interface BridgeFacts {
  readonly name: string;
  /** As configured; empty means `system`. */
  readonly datapathType: string;
  readonly datapathId: string | undefined;
  readonly failMode: string | undefined;
  readonly externalIds: ReadonlyMap<string, string>;
  readonly controllers: readonly ControllerFacts[];
  readonly mirrors: readonly MirrorFacts[];
  readonly ports: readonly PortFacts[];
}

export interface ControllerFacts {
  readonly target: string;
  readonly isConnected: boolean;
  readonly lastError: string | undefined;
}

export interface MirrorFacts {
  readonly name: string;
  readonly externalIds: ReadonlyMap<string, string>;
  readonly outputPort: string | undefined;
}

export interface PortFacts {
  readonly name: string;
  readonly bondMode: string | undefined;
  readonly lacp: string | undefined;
  readonly bondActiveMember: string | undefined;
  readonly externalIds: ReadonlyMap<string, string>;
  readonly interfaces: readonly InterfaceFacts[];
}

export interface InterfaceFacts {
  readonly name: string;
  /** Empty, `internal`, `patch`, `dpdk`, `geneve`, … */
  readonly type: string;
  readonly ofport: bigint | undefined;
  readonly ifindex: bigint | undefined;
  readonly adminState: string | undefined;
  readonly linkState: string | undefined;
  readonly linkSpeed: bigint | undefined;
  readonly lacpCurrent: boolean | undefined;
  readonly error: string | undefined;
  readonly externalIds: ReadonlyMap<string, string>;
  readonly options: ReadonlyMap<string, string>;
  readonly status: ReadonlyMap<string, string>;
  /** Counters, exact. A key that is missing is unsupported, not 0. */
  readonly statistics: ReadonlyMap<string, bigint>;
}

export interface FlowTableFacts {
  readonly table: number;
  readonly flows: number;
}

export interface BondFacts {
  readonly lacpStatus: 'negotiated' | 'configured' | 'off' | undefined;
  readonly members: readonly { readonly name: string; readonly isEnabled: boolean }[];
}

export interface OvnFacts {
  readonly controller: DaemonFacts;
  /** What `connection-status` said: to the southbound database only. */
  readonly connection: Answer<'connected' | 'not connected'>;
  readonly isPaused: Answer<boolean>;
  /** How many OpenFlow connections ovs-vswitchd has beside our own; ovn-controller holds several. */
  readonly openFlowConnections: Answer<number>;
  /** Logical ports that ovn-controller has bound here, by `iface-id`; undefined count where it was not asked. */
  readonly localBindings: Answer<ReadonlyMap<string, number>>;
  /** What the southbound database itself says, where the agent can read it. */
  readonly southbound: SouthboundAnswer | undefined;
  /** Flows of the integration bridge that the southbound database does not explain, from the last scan; undefined until there was one. */
  readonly staleFlows: Answer<StaleFlowFacts> | undefined;
  /** False where nobody scans flows at all; a first scan is on its way otherwise. */
  readonly isScanning?: boolean;
}

export interface SouthboundFacts {
  readonly nbCfg: bigint;
  /** `nb_cfg` of our chassis in Chassis_Private. */
  readonly chassisNbCfg: bigint | undefined;
  /** The name of our chassis row; undefined where there is none of our name, so that nobody can say what is bound here. */
  readonly chassis: string | undefined;
  /**
   * Where the logical ports of our interfaces are bound, by logical port: the name of the chassis, or undefined for nowhere.
   * Our own name where ours is among the additional chassis. A port that is not in the database is left out.
   */
  readonly portBindings: ReadonlyMap<string, string | undefined>;
  /** Those of them that belong to every chassis (type `localport`), such as ports of a metadata service: never bound, never `ovn-installed`. */
  readonly localPorts?: ReadonlySet<string>;
}

/** One scan of the integration bridge. */
export interface StaleFlowFacts {
  readonly scanned: number;
  /** Cookies without a row in the southbound database, with how many flows carry them. Undefined where that was not read. */
  readonly unexplained: ReadonlyMap<bigint, number> | undefined;
  /** Ports that flows name though the bridge does not have them, with how many flows do. */
  readonly missingPorts: ReadonlyMap<number, number>;
}
