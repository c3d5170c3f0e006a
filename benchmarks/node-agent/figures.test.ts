import { describe, expect, it } from 'vitest';
import type { AgentResult } from './agent-result.ts';
import { agentFigures } from './figures.ts';

describe('agentFigures', () => {
  it('compares the agents at the largest number of domains', () => {
    const results = [
      result({ domains: 1, eventMs: [1] }),
      result({ domains: 1_000, eventMs: [10, 20, 30], peakBytes: 64e6, callsPerEvent: 2 }),
      result({ agent: 'go', domains: 1_000, eventMs: [400], peakBytes: 32e6, callsPerEvent: 6_000 }),
    ];

    const figures = agentFigures(results, { agents: 2, filledMs: 5, residentBytes: 1e6, eventMs: [7, 9] });

    expect(figures).toMatchObject({
      event_p50_ms: 20,
      event_p99_ms: 30,
      rss_mb_1000: 64,
      calls_per_refresh_1000: 2,
      event_vs_go: 20,
      calls_vs_go: 3_000,
      rss_vs_go: 0.5,
      swarm_event_p99_ms: 9,
    });
  });

  it('leaves open what was not measured', () => {
    const figures = agentFigures([result({ domains: 100 })], undefined);

    expect(figures).toMatchObject({
      event_p99_ms: 1,
      rss_mb_1000: null,
      calls_per_refresh_1000: null,
      event_vs_go: null,
      calls_vs_go: null,
      swarm_rss_mb: null,
    });
  });
});

function result(changes: Partial<AgentResult>): AgentResult {
  return {
    agent: 'smalt',
    domains: 1,
    startMs: 1,
    residentBytes: 1,
    peakBytes: 1,
    eventMs: [1],
    cpuMsPerEvent: 1,
    callsPerEvent: 1,
    callsAtStart: 1,
    ...changes,
  };
}
