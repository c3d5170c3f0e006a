import type { Figure } from '../src/benchmark.ts';
import { median } from '../src/sample-summary.ts';
import type { HaResults } from './ha-result.ts';

const MEGABYTE = 1e6;
const FULL_FLEET = 10_000;

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = { sqlite_batches_per_s: 5_000 };

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = { decide10k_ms: 50, threshold_to_rebuild_s: 5 };

/** What counts. A run with fewer than ten thousand hosts has no figures of so many. */
export function haFigures({ floods, fleet, decision, rescue }: HaResults): Record<string, Figure> {
  const perSecond = (store: string): Figure => floods.find((each) => each.store === store)?.perSecond ?? null;
  const isFull = fleet.hosts === FULL_FLEET;
  return {
    sqlite_batches_per_s: perSecond('sqlite'),
    postgres_batches_per_s: perSecond('postgres'),
    decide10k_ms: decision.hosts === FULL_FLEET ? decision.medianMs : null,
    threshold_to_rebuild_s: rescue.seconds.length === 0 ? null : median(rescue.seconds),
    // The peak: at rest a kernel that is short of memory takes pages back, and a process looks smaller than it is.
    rss_mb_10k: isFull ? fleet.peakBytes / MEGABYTE : null,
    cpu_share_10k: isFull ? fleet.cpuShare : null,
  };
}
