/** How much is measured. */
export interface OperatorPlan {
  /** Numbers of nodes that appear at once, for ours. */
  readonly nodeCounts: readonly number[];
  /** The one that the peer is measured with too. */
  readonly peerNodes: number;
  readonly drain: DrainPlan;
  readonly latencyMs: number;
}

export interface DrainPlan {
  readonly servers: number;
  /** Hosts that can take them. */
  readonly targets: number;
  /** How long a move takes. */
  readonly moveMs: number;
}

const LATENCY_MS = 50;

/** A full run takes ten minutes or so, a quick one two. */
export function planOperators(isQuick: boolean): OperatorPlan {
  if (isQuick) {
    return {
      nodeCounts: [100, 500],
      peerNodes: 100,
      drain: { servers: 20, targets: 10, moveMs: 1_000 },
      latencyMs: LATENCY_MS,
    };
  }
  return {
    nodeCounts: [1_000, 5_000],
    peerNodes: 1_000,
    drain: { servers: 100, targets: 20, moveMs: 1_000 },
    latencyMs: LATENCY_MS,
  };
}
