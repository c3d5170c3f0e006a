import { describe, expect, it } from 'vitest';

import { ovsFigures } from './figures.ts';
import type { OvsResults } from './ovs-result.ts';

describe('ovsFigures', () => {
  it('has all of them after a full run, the worst place for the loss of a link', () => {
    expect(ovsFigures(results(50_000))).toEqual({
      vswitchd_cpu_ms_50k: 2,
      agent_cpu_ms_50k: 8,
      dump_flows_vs_ours: 60,
      link_loss_p99_ms: 40,
      rss_mb: 70,
      cpu_share: 0.01,
      swarm_filled_ms: 9_000,
      swarm_rss_mb: 500,
      swarm_loss_p99_ms: 90,
    });
  });

  it('has none of 50,000 flows where there were fewer', () => {
    expect(ovsFigures(results(10_000))).toMatchObject({
      vswitchd_cpu_ms_50k: null,
      agent_cpu_ms_50k: null,
      dump_flows_vs_ours: null,
      rss_mb: null,
      cpu_share: null,
      link_loss_p99_ms: 40,
    });
  });
});

function results(flows: number): OvsResults {
  return {
    size: { ports: 1_000, flows },
    refresh: {
      ours: { name: 'ours', vswitchdMs: 2, databaseMs: 0, clientMs: 8 },
      presence: { name: 'between', vswitchdMs: 1, databaseMs: 0, clientMs: 2 },
      refreshes: 40,
    },
    rest: { cpuShare: 0.01, residentBytes: 60e6, peakBytes: 70e6 },
    tools: [
      { name: 'ovs-ofctl dump-flows br-int', vswitchdMs: 120, databaseMs: 0, clientMs: 140 },
      { name: 'ovs-vsctl show', vswitchdMs: 0, databaseMs: 14, clientMs: 19 },
    ],
    losses: [
      { where: 'large', times: [20, 40] },
      { where: 'real', times: [10, 30] },
    ],
    swarm: { agents: 100, filledMs: 9_000, residentBytes: 500e6, lossMs: [50, 90] },
  };
}
