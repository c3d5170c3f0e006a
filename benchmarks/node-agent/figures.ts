import { percentile } from '../api/percentile.ts';
import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import { median } from '../src/sample-summary.ts';
import type { AgentName } from './agent-name.ts';
import type { AgentResult, SwarmResult } from './agent-result.ts';

const MEGABYTE = 1e6;

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = { event_vs_go: 2, calls_vs_go: 10 };

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = {
  event_p99_ms: 200,
  rss_mb_1000: 80,
  calls_per_refresh_1000: 10,
};

/** What counts is the largest number of domains; a run without a thousand of them has no figures of a thousand. */
export function agentFigures(results: readonly AgentResult[], swarm: SwarmResult | undefined): Record<string, Figure> {
  const most = Math.max(...results.map(({ domains }) => domains));
  const ours = find(results, 'smalt', most);
  const theirs = find(results, 'go', most);
  const thousand = find(results, 'smalt', 1_000);
  return {
    event_p50_ms: ours === undefined ? null : median(ours.eventMs),
    event_p99_ms: ours === undefined ? null : percentile(ours.eventMs, 0.99),
    // The peak: at rest a kernel that is short of memory takes pages back, and a process looks smaller than it is.
    rss_mb_1000: thousand === undefined ? null : thousand.peakBytes / MEGABYTE,
    calls_per_refresh_1000: thousand?.callsPerEvent ?? null,
    event_vs_go: costRatio(theirs && median(theirs.eventMs), ours && median(ours.eventMs)),
    calls_vs_go: costRatio(theirs?.callsPerEvent, ours?.callsPerEvent),
    cpu_vs_go: costRatio(theirs?.cpuMsPerEvent, ours?.cpuMsPerEvent),
    rss_vs_go: costRatio(theirs?.peakBytes, ours?.peakBytes),
    swarm_filled_ms: swarm?.filledMs ?? null,
    swarm_rss_mb: swarm === undefined ? null : swarm.residentBytes / MEGABYTE,
    swarm_event_p99_ms: swarm === undefined ? null : percentile(swarm.eventMs, 0.99),
  };
}

function find(results: readonly AgentResult[], name: AgentName, count: number): AgentResult | undefined {
  return results.find(({ agent, domains }) => agent === name && domains === count);
}
