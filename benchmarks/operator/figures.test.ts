import { expect, it } from 'vitest';

import { operatorFigures } from './figures.ts';
import type { DrainResult, OnboardingResult } from './operator-result.ts';

it('compares with the peer, with five times as many nodes, and with one move at a time', () => {
  const onboardings = [
    onboarding({ nodes: 1_000, seconds: 10, apiCalls: 9_000, cloudCalls: 6_000, peakBytes: 120e6 }),
    onboarding({ nodes: 5_000, seconds: 45 }),
    onboarding({ operator: 'go', nodes: 1_000, seconds: 80 }),
  ];
  const drains = [drain({ seconds: 15 }), drain({ limit: 1, seconds: 150 })];

  const figures = operatorFigures(onboardings, drains);

  expect(figures).toEqual({
    onboard1000_s: 10,
    growth_1000_to_5000: 4.5,
    drain100_vs_serial: 10,
    calls_per_host: 15,
    api_calls_per_host: 9,
    openstack_calls_per_host: 6,
    rss_mb_1000: 120,
    onboard1000_vs_go: 8,
  });
});

it('leaves open what was not measured', () => {
  const figures = operatorFigures([onboarding({ nodes: 100 })], [drain({ servers: 20 })]);

  expect(Object.values(figures)).toEqual(Object.values(figures).map(() => null));
});

function onboarding(changes: Partial<OnboardingResult>): OnboardingResult {
  return {
    operator: 'smalt',
    nodes: 1,
    seconds: 1,
    halfSeconds: 1,
    createdSeconds: 1,
    apiCalls: 1,
    cloudCalls: 1,
    cpuSeconds: 1,
    apiServerCpuSeconds: 1,
    cloudCpuSeconds: 1,
    residentBytes: 1,
    peakBytes: 1,
    ...changes,
  };
}

function drain(changes: Partial<DrainResult>): DrainResult {
  return { limit: undefined, servers: 100, seconds: 1, mostMoves: 1, cloudCalls: 1, ...changes };
}
