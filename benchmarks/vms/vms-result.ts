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
