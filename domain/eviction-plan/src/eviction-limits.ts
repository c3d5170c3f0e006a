/** How many may move at a time, how long it may take, and what is done about those that do not move. */
export interface EvictionLimits {
  /** Moves away from one host at a time. */
  readonly perHost: number;
  /** Moves to one host at a time. Targets are the compute system's choice: see `planMoves`. */
  readonly perTarget: number;
  /** Moves of all hosts together at a time. */
  readonly overall: number;
  /** Moves at a time away from hosts with a trait, and of instances that need it; never more than `perHost`. */
  readonly perTrait: Readonly<Record<string, number>>;
  /** How often one instance is tried. */
  readonly attempts: number;
  /** How long an instance is left alone after a failure. */
  readonly retryPauseMs: number;
  /** How long a live move may take before it is stopped. */
  readonly liveTimeoutMs: number;
  /** How long a cold move, or its confirmation, may take before a person is asked to look. */
  readonly coldTimeoutMs: number;
  /** How long to wait for the record of a move that was asked for. */
  readonly graceMs: number;
  /** How long a move may take to stop after it was told to. */
  readonly abortTimeoutMs: number;
  /** How long to wait for an instance that is being built, deleted, snapshotted and so on. */
  readonly busyTimeoutMs: number;
  /** Whether instances that cannot move while they run may be stopped, moved and started again. */
  readonly coldMovesOfRunning: 'allowed' | 'forbidden';
  /** Whether instances that their owners locked are moved. An administrator may do that. */
  readonly lockedInstances: 'move' | 'leave';
}

/** How many may move away at a time from a host with these traits: the lowest limit counts, and it is at least one. */
export function hostLimit(limits: EvictionLimits, hostTraits: readonly string[]): number {
  const matching = hostTraits.flatMap((trait) => limits.perTrait[trait] ?? []);
  return Math.max(1, Math.min(limits.perHost, ...matching));
}
