import type { AgentName } from './agent-name.ts';

const SETTLE_MS = 5_000;

/** How much is measured. */
export interface AgentPlan {
  /** Numbers of domains on the host; the last is the one that counts for the figures. */
  readonly domainCounts: readonly number[];
  /** How often a domain is defined, started, stopped and undefined, by agent. The other one takes seconds for each. */
  readonly cycles: Readonly<Record<AgentName, number>>;
  /** The same while calls are counted. */
  readonly countedCycles: number;
  /** How long an agent has had nothing to do when its memory is looked at. */
  readonly settleMs: number;
  readonly swarm: { readonly agents: number; readonly agentsPerProcess: number; readonly events: number };
}

/** A full run takes ten minutes or so, a quick one two. */
export function planAgents(isQuick: boolean, rounds: number): AgentPlan {
  if (isQuick) {
    return {
      domainCounts: [1, 100],
      cycles: { smalt: 5, go: 3 },
      countedCycles: 2,
      settleMs: SETTLE_MS,
      swarm: { agents: 20, agentsPerProcess: 10, events: 40 },
    };
  }
  return {
    domainCounts: [1, 100, 1_000],
    cycles: { smalt: Math.min(rounds, 25), go: Math.min(rounds, 6) },
    countedCycles: 2,
    settleMs: SETTLE_MS,
    swarm: { agents: 300, agentsPerProcess: 30, events: 300 },
  };
}
