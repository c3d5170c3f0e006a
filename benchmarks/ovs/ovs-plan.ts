/** How much is measured. */
export interface OvsPlan {
  readonly size: NodeSize;
  readonly refresh: RefreshPlan;
  /** How long the agent is watched while nothing happens. */
  readonly restSeconds: number;
  /** How often each tool of Open vSwitch is run. */
  readonly toolRuns: number;
  readonly losses: LossPlan;
  readonly swarm: SwarmPlan;
}

export interface NodeSize {
  readonly ports: number;
  readonly flows: number;
}

export interface RefreshPlan {
  /** How long ovs-vswitchd is watched with nobody there, and how long with an agent that refreshes, and one that does not. */
  readonly quietSeconds: number;
  readonly busySeconds: number;
  /** How long the agent has for what it does once, at its start. */
  readonly settleSeconds: number;
}

interface LossPlan {
  readonly onLarge: number;
  readonly onReal: number;
}

export interface SwarmPlan {
  readonly agents: number;
  readonly agentsPerProcess: number;
  readonly losses: number;
}

/** A full run takes six minutes or so, a quick one two or three. */
export function planOvs(isQuick: boolean): OvsPlan {
  if (isQuick) {
    return {
      size: { ports: 200, flows: 10_000 },
      refresh: { quietSeconds: 10, busySeconds: 10, settleSeconds: 5 },
      restSeconds: 20,
      toolRuns: 3,
      losses: { onLarge: 20, onReal: 10 },
      swarm: { agents: 20, agentsPerProcess: 10, losses: 20 },
    };
  }
  return {
    size: { ports: 1_000, flows: 50_000 },
    refresh: { quietSeconds: 20, busySeconds: 30, settleSeconds: 10 },
    restSeconds: 30,
    toolRuns: 5,
    losses: { onLarge: 120, onReal: 40 },
    swarm: { agents: 100, agentsPerProcess: 25, losses: 100 },
  };
}
