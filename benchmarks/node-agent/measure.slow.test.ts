import { describe, expect, it } from 'vitest';

import { smaltAgent } from './agent-sources.ts';
import { measureAgents } from './measure-agents.ts';
import { measureSwarm } from './measure-swarm.ts';

const PLAN = {
  domainCounts: [3],
  cycles: { smalt: 1, go: 1 },
  countedCycles: 1,
  settleMs: 100,
  swarm: { agents: 2, agentsPerProcess: 1, events: 2 },
};

describe('the benchmark of node agents', { timeout: 120_000 }, () => {
  it('measures an agent of ours on a real daemon', async () => {
    const [result] = await measureAgents([smaltAgent('sources')], measuring());

    expect(result).toMatchObject({ agent: 'smalt', domains: 3 });
    expect(result?.eventMs).toHaveLength(4);
    expect(result?.callsAtStart).toBeGreaterThan(3);
    expect(result?.callsPerEvent).toBeGreaterThan(0);
    expect(result?.cpuMsPerEvent).toBeGreaterThan(0);
    expect(result?.residentBytes).toBeGreaterThan(30e6);
  });

  it('measures agents that share a machine', async () => {
    const result = await measureSwarm(measuring());

    expect(result).toMatchObject({ agents: 2, eventMs: [expect.any(Number), expect.any(Number)] });
    expect(result.filledMs).toBeGreaterThan(0);
    expect(result.residentBytes).toBeGreaterThan(60e6);
  });
});

function measuring(): Parameters<typeof measureSwarm>[0] {
  return { plan: PLAN, program: 'sources', progress: () => undefined, signal: AbortSignal.timeout(110_000) };
}
