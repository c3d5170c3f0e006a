/** Agents that send as fast as they are answered. */
export interface FloodResult {
  readonly store: 'sqlite' | 'postgres';
  readonly agents: number;
  readonly perSecond: number;
  /** From sending a batch until it is acknowledged, that is stored for good. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the service's process. */
  readonly cpuSecondsPerBatch: number;
}

/** A fleet that reports as it does every day. */
export interface FleetResult {
  readonly hosts: number;
  readonly intervalMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of one processor, by the service. */
  readonly cpuShare: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

export interface DecisionResult {
  readonly hosts: number;
  readonly medianMs: number;
  readonly worstMs: number;
}

/** From the moment at which a host may be condemned until its first instance runs elsewhere. */
export interface RescueResult {
  readonly seconds: readonly number[];
  readonly powerOffMs: number;
  readonly evacuationMs: number;
}

/** Debian's masakari-api, told of events of instances. */
export interface MasakariResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The statuses of its answers. */
  readonly answers: readonly number[];
}

/** All of one run. */
export interface HaResults {
  readonly floods: readonly FloodResult[];
  readonly fleet: FleetResult;
  readonly decision: DecisionResult;
  readonly rescue: RescueResult;
  /** Undefined where it is not installed. */
  readonly masakari: MasakariResult | undefined;
}
