import type { NodeSize } from './ovs-plan.ts';

/** What a look at the switch costs whom, in milliseconds of processor time. */
export interface LookCost {
  readonly name: string;
  /** Of the main thread, which also passes packets on and applies configuration. */
  readonly vswitchdMs: number;
  readonly databaseMs: number;
  /** Of whoever looks. */
  readonly clientMs: number;
}

export interface RefreshResult {
  readonly ours: LookCost;
  /** Of one second in which the agent is there and does not refresh. */
  readonly presence: LookCost;
  readonly refreshes: number;
}

/** An agent with all its settings as they are, on a node where nothing happens but that counters come. */
export interface RestResult {
  /** Of one processor. */
  readonly cpuShare: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** Where links were lost, and how long until the OVSNode said so. */
export interface LossResult {
  readonly where: string;
  /** Until the interface is down and its bond degraded, in milliseconds. */
  readonly times: readonly number[];
}

export interface SwarmResult {
  readonly agents: number;
  readonly filledMs: number;
  readonly residentBytes: number;
  readonly lossMs: readonly number[];
}

/** All of one run. */
export interface OvsResults {
  readonly size: NodeSize;
  readonly refresh: RefreshResult;
  readonly rest: RestResult;
  readonly tools: readonly LookCost[];
  readonly losses: readonly LossResult[];
  readonly swarm: SwarmResult;
}
