import type { WrittenRequest } from './swarm/written-requests.ts';

/** How long each side took to make all machines, in milliseconds. */
export interface CreateRound {
  /** From the start of kubectl until the watch had the last one as Running. */
  readonly oursMs: number;
  /** One virsh, one domain after the other. */
  readonly serialMs: number;
  readonly parallelMs: number;
}

/** What one machine costs, in bytes of proportional memory. */
export interface MachineMemory {
  readonly launcher: number;
  /** The process of the guest itself, which is not counted. */
  readonly monitor: number;
  /** What each part has grown by for it. */
  readonly growth: Readonly<Record<string, number>>;
}

export interface CreateResult {
  readonly machines: number;
  readonly parallel: number;
  readonly rounds: readonly CreateRound[];
  readonly memory: MachineMemory;
}

export interface SwarmResult {
  readonly nodes: number;
  readonly instances: number;
  /** From create to Running of each, in milliseconds. */
  readonly times: readonly number[];
  /** From the first create until the last is Running. */
  readonly tookMs: number;
  readonly requests: readonly WrittenRequest[];
  /** Processor time by part, in seconds. */
  readonly cpu: Readonly<Record<string, number>>;
  /** What each part has grown by, in bytes. */
  readonly memory: Readonly<Record<string, number>>;
}

/** How long each side took to move its guest to the other host, in milliseconds. */
export interface MigrationRound {
  readonly oursMs: number;
  readonly virshMs: number;
}

export interface MigrationResult {
  readonly memoryMiB: number;
  readonly rounds: readonly MigrationRound[];
}

/** All of one run. */
export interface VmsResults {
  readonly create: CreateResult;
  readonly swarm: SwarmResult;
  readonly migration: MigrationResult;
}
