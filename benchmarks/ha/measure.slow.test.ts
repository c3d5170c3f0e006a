import { describe, expect, it } from 'vitest';

import { measureDecision } from './measure-decision.ts';
import { measureFleet } from './measure-fleet.ts';
import { measureFlood } from './measure-flood.ts';

describe('the benchmark of the HA service', { timeout: 120_000 }, () => {
  it('measures how many batches are stored', async () => {
    const plan = { agents: 20, seconds: 0.5, rounds: 1 };

    const result = await measureFlood({ program: 'sources', plan }, inTime());

    expect(result).toMatchObject({ store: 'sqlite', agents: 20 });
    expect(result.perSecond).toBeGreaterThan(50);
  });

  it('measures a fleet that reports', async () => {
    const plan = { hosts: 5, intervalMs: 500, seconds: 3 };

    const result = await measureFleet({ program: 'sources', plan }, inTime());

    expect(result).toMatchObject({ hosts: 5 });
    expect(result.peakBytes).toBeGreaterThan(30e6);
  });

  it('measures the decision', () => {
    const result = measureDecision({ hosts: 2_000, warmUps: 1, rounds: 3 });

    expect(result.worstMs).toBeGreaterThanOrEqual(result.medianMs);
  });
});

function inTime(): AbortSignal {
  return AbortSignal.timeout(110_000);
}
