import { describe, expect, it } from 'vitest';

import { measureDrain } from './measure-drain.ts';
import { measureOnboarding } from './measure-onboarding.ts';
import { smaltOperator } from './operator-sources.ts';

const common = { source: smaltOperator('sources'), program: 'sources', latencyMs: 5 } as const;

describe('the benchmark of operators', { timeout: 120_000 }, () => {
  it('measures how nodes are onboarded that appear at once', async () => {
    const result = await measureOnboarding({ ...common, nodes: 5 }, inTime());

    expect(result).toMatchObject({ operator: 'smalt', nodes: 5 });
    expect(result.seconds).toBeGreaterThanOrEqual(result.halfSeconds);
    expect(result.apiCalls).toBeGreaterThan(5);
    expect(result.cloudCalls).toBeGreaterThan(5);
    expect(result.peakBytes).toBeGreaterThan(30e6);
  });

  it('measures how a host is emptied', async () => {
    const plan = { servers: 3, targets: 2, moveMs: 50 };
    const result = await measureDrain({ ...common, plan, limit: undefined }, inTime());

    expect(result).toMatchObject({ servers: 3, limit: undefined });
    expect(result.seconds).toBeGreaterThan(0.05);
    expect(result.cloudCalls).toBeGreaterThan(3);
  });
});

function inTime(): AbortSignal {
  return AbortSignal.timeout(110_000);
}
