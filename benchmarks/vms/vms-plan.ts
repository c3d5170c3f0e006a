/** How much is measured. */
export interface VmsPlan {
  readonly create: CreatePlan;
  readonly swarm: SwarmPlan;
  readonly migration: MigrationPlan;
}

export interface CreatePlan {
  readonly machines: number;
  /** How often each side makes them all. */
  readonly rounds: number;
  /** How many virsh there are at a time where they share the work. */
  readonly parallel: number;
}

export interface SwarmPlan {
  readonly nodes: number;
  readonly nodesPerProcess: number;
  readonly instances: number;
  /** How many clients create them. */
  readonly clients: number;
}

export interface MigrationPlan {
  readonly memoryMiB: number;
  /** How often each side moves the guest. */
  readonly rounds: number;
}

/** A full run takes ten minutes or so, a quick one three. */
export function planVms(isQuick: boolean): VmsPlan {
  if (isQuick) {
    return {
      create: { machines: 10, rounds: 2, parallel: 4 },
      swarm: { nodes: 10, nodesPerProcess: 5, instances: 100, clients: 16 },
      migration: { memoryMiB: 256, rounds: 2 },
    };
  }
  return {
    create: { machines: 50, rounds: 3, parallel: 4 },
    swarm: { nodes: 50, nodesPerProcess: 13, instances: 1_000, clients: 16 },
    migration: { memoryMiB: 256, rounds: 31 },
  };
}
