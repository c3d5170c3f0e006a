/** How the instances of a dead host find a new one. */
export const RecoveryMethod = {
  /** The compute system chooses. */
  auto: 'auto',
  /** They go to a host that is kept free for this. */
  reservedHost: 'reserved-host',
  /** The compute system chooses, and where that fails, a reserved host is used. */
  autoPriority: 'auto-priority',
  /** A reserved host, and where none is left, the compute system chooses. */
  reservedHostPriority: 'reserved-host-priority',
} as const;
export type RecoveryMethod = (typeof RecoveryMethod)[keyof typeof RecoveryMethod];

/**
 * Which hosts are meant. Every part that is given has to match, and one word of a part is enough; of labels all have to.
 * In names and words of labels `*` stands for any characters and `?` for one. No part at all means all hosts.
 */
export interface HostSelector {
  readonly names?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly aggregates?: readonly string[];
  readonly zones?: readonly string[];
}

/** Hosts that are recovered in the same way. */
export interface RecoverySegment {
  readonly name: string;
  /** Whether anything is done about them at all. */
  readonly isEnabled: boolean;
  readonly hosts: HostSelector;
  readonly method: RecoveryMethod;
  /** Names of the hosts that are kept free, in the order in which they are used. */
  readonly reservedHosts: readonly string[];
  /** Whether a reserved host joins the aggregates of the host it stands in for, so that its instances fit there. */
  readonly joinsAggregates: boolean;
}

/** Where it is looked whether an instance is marked, the first that says something counts. */
export const MarkSource = { metadata: 'metadata', flavor: 'flavor', aggregate: 'aggregate' } as const;
export type MarkSource = (typeof MarkSource)[keyof typeof MarkSource];

/** Which instances are rebuilt, and in which order. */
export interface InstanceRules {
  /** `all`: all but those that are marked not to be. `marked`: only those that are marked to be. */
  readonly mode: 'all' | 'marked';
  readonly enabledKey: string;
  readonly priorityKey: string;
  /** Who is asked, in this order. Leave `metadata` out where owners may not decide. */
  readonly sources: readonly MarkSource[];
  /** That of an instance without a priority; higher ones come first. */
  readonly defaultPriority: number;
}

/** What is done for whom after the loss of a host. */
export interface RecoveryPolicy {
  /** The first that matches a host is its segment. */
  readonly segments: readonly RecoverySegment[];
  /** Only hosts in one of these aggregates; undefined filters nothing out. */
  readonly includeAggregates: readonly string[] | undefined;
  /** No hosts in any of these aggregates; undefined filters nothing out. */
  readonly excludeAggregates: readonly string[] | undefined;
  readonly instances: InstanceRules;
}

/** All hosts, all instances; the compute system chooses where they go. */
export const defaultRecoveryPolicy: RecoveryPolicy = {
  segments: [],
  includeAggregates: undefined,
  excludeAggregates: undefined,
  instances: {
    mode: 'all',
    enabledKey: 'HA_Enabled',
    priorityKey: 'HA_Priority',
    sources: ['metadata', 'flavor', 'aggregate'],
    defaultPriority: 0,
  },
};
