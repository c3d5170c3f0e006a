import { percentile } from '../api/percentile.ts';
import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import type { OvsResults } from './ovs-result.ts';

const MEGABYTE = 1e6;
const FULL_SIZE = { ports: 1_000, flows: 50_000 };

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = { dump_flows_vs_ours: 30 };

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = { vswitchd_cpu_ms_50k: 5, link_loss_p99_ms: 100, rss_mb: 80 };

/** What counts. A run with a smaller node has no figures of that size. */
export function ovsFigures({ size, refresh, rest, tools, losses, swarm }: OvsResults): Record<string, Figure> {
  const isFull = size.ports === FULL_SIZE.ports && size.flows === FULL_SIZE.flows;
  const dumpFlows = tools.find(({ name }) => name.includes('dump-flows'));
  const worst = Math.max(...losses.map(({ times }) => percentile(times, 0.99)));
  return {
    vswitchd_cpu_ms_50k: isFull ? refresh.ours.vswitchdMs : null,
    agent_cpu_ms_50k: isFull ? refresh.ours.clientMs : null,
    // Of the thread that has to pass packets on meanwhile.
    dump_flows_vs_ours: isFull ? costRatio(dumpFlows?.vswitchdMs, refresh.ours.vswitchdMs) : null,
    link_loss_p99_ms: losses.length === 0 ? null : worst,
    // The peak: at rest a kernel that is short of memory takes pages back, and a process looks smaller than it is.
    rss_mb: isFull ? rest.peakBytes / MEGABYTE : null,
    cpu_share: isFull ? rest.cpuShare : null,
    swarm_filled_ms: swarm.filledMs,
    swarm_rss_mb: swarm.residentBytes / MEGABYTE,
    swarm_loss_p99_ms: percentile(swarm.lossMs, 0.99),
  };
}
