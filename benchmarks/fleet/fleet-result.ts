import type { ServerName } from './server-name.ts';

/** Processes that belong together. */
export const PARTS = ['server', 'controllers', 'agents', 'daemons'] as const;

export type PartName = (typeof PARTS)[number];

/** What one process, or all agents or daemons together, took in the window. */
export interface ProcessCost {
  readonly part: PartName;
  readonly name: string;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Requests of one kind that the server answered in the window. */
export interface RequestCount {
  readonly verb: string;
  /** With its subresource: `nodes/status`. */
  readonly resource: string;
  readonly count: number;
}

/** What was written to the watches of one resource in the window. */
export interface WatchCount {
  readonly resource: string;
  readonly events: number;
  readonly bytes: number;
}

/** One fleet, watched for a while. */
export interface FleetSample {
  readonly hosts: number;
  readonly machines: number;
  readonly seconds: number;
  /** From the first start of an agent and the first create until all that was added runs. */
  readonly broughtUpSeconds: number;
  /** The processor time of server, controllers and agents for that. */
  readonly broughtUpCpuSeconds: number;
  /** How many machines that were. */
  readonly broughtUpMachines: number;
  /** Machines that were stopped in the window and started again, those of the drained host among them. */
  readonly restarts: number;
  readonly costs: readonly ProcessCost[];
  /** Those of the benchmark left out. */
  readonly requests: readonly RequestCount[];
  readonly watches: readonly WatchCount[];
  readonly openWatches: number;
  /** The share of the processors of this machine that was not idle. */
  readonly busyShare: number;
}

/** Why a fleet did not grow through all sizes. */
export interface FleetEnd {
  /** Left out on purpose, since there is no room for it, or failed. */
  readonly kind: 'left-out' | 'failed';
  /** The size that was not measured; undefined where all were, and the fleet could not be ended in order. */
  readonly hosts: number | undefined;
  readonly why: string;
}

/** One fleet on one server, as it grew. */
export interface FleetResult {
  readonly server: ServerName;
  readonly samples: readonly FleetSample[];
  /** Nothing where it grew through all sizes. */
  readonly end?: FleetEnd | undefined;
}
