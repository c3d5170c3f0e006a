import { describe, expect, it } from 'vitest';

import { haFigures } from './figures.ts';
import type { HaResults } from './ha-result.ts';

describe('haFigures', () => {
  it('has all of them after a full run', () => {
    expect(haFigures(results(10_000))).toEqual({
      sqlite_batches_per_s: 6_000,
      postgres_batches_per_s: 3_000,
      decide10k_ms: 4,
      threshold_to_rebuild_s: 4.5,
      rss_mb_10k: 300,
      cpu_share_10k: 0.2,
    });
  });

  it('has none of ten thousand hosts, nor of PostgreSQL, where that was not measured', () => {
    const { floods, ...others } = results(1_000);

    expect(haFigures({ ...others, floods: floods.slice(0, 1) })).toMatchObject({
      postgres_batches_per_s: null,
      rss_mb_10k: null,
      cpu_share_10k: null,
    });
  });
});

function results(hosts: number): HaResults {
  const flood = { agents: 1, p50Ms: 1, p99Ms: 2, cpuSecondsPerBatch: 0.0001 };
  return {
    floods: [
      { ...flood, store: 'sqlite', perSecond: 6_000 },
      { ...flood, store: 'postgres', perSecond: 3_000 },
    ],
    fleet: { hosts, intervalMs: 10_000, p50Ms: 1, p99Ms: 2, cpuShare: 0.2, residentBytes: 2e8, peakBytes: 3e8 },
    decision: { hosts: 10_000, medianMs: 4, worstMs: 9 },
    rescue: { seconds: [4, 4.5, 9], powerOffMs: 1_000, evacuationMs: 200 },
    masakari: undefined,
  };
}
