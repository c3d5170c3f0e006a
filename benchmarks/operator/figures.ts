import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import type { DrainResult, OnboardingResult } from './operator-result.ts';

const MEGABYTE = 1e6;

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = { drain100_vs_serial: 5, onboard1000_vs_go: 1 };

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = { growth_1000_to_5000: 5.5 };

/** What counts. A run without a thousand nodes, or without a drain of a hundred servers, has no figures of these. */
export function operatorFigures(
  onboardings: readonly OnboardingResult[],
  drains: readonly DrainResult[],
): Record<string, Figure> {
  const find = (operator: string, nodes: number): OnboardingResult | undefined =>
    onboardings.find((result) => result.operator === operator && result.nodes === nodes);
  const thousand = find('smalt', 1_000);
  const parallel = drains.find(({ limit, servers }) => limit === undefined && servers === 100);
  const serial = drains.find(({ limit, servers }) => limit === 1 && servers === 100);
  return {
    onboard1000_s: thousand?.seconds ?? null,
    growth_1000_to_5000: costRatio(find('smalt', 5_000)?.seconds, thousand?.seconds),
    drain100_vs_serial: costRatio(serial?.seconds, parallel?.seconds),
    calls_per_host: thousand === undefined ? null : (thousand.apiCalls + thousand.cloudCalls) / thousand.nodes,
    api_calls_per_host: thousand === undefined ? null : thousand.apiCalls / thousand.nodes,
    openstack_calls_per_host: thousand === undefined ? null : thousand.cloudCalls / thousand.nodes,
    // The peak: at rest a kernel that is short of memory takes pages back, and a process looks smaller than it is.
    rss_mb_1000: thousand === undefined ? null : thousand.peakBytes / MEGABYTE,
    onboard1000_vs_go: costRatio(find('go', 1_000)?.seconds, thousand?.seconds),
  };
}
