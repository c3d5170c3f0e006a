import type { OperatorContext } from '../operator-context.ts';
import { evictionFamilies, evictionLabels } from './eviction-families.ts';
import { hypervisorFamilies, hypervisorLabels } from './hypervisor-families.ts';
import { scrapeObjects } from './scraped-family.ts';

export type FleetMetricsContext = Pick<OperatorContext, 'metrics' | 'hypervisors' | 'evictions'>;

/** Tells of all hypervisors and evictions at each scrape, from the caches; nothing before these have had all objects. */
export function createFleetMetrics({ metrics, hypervisors, evictions }: FleetMetricsContext): void {
  metrics.onScrape(async function* scrapeFleet(signal) {
    if (!hypervisors.hasSynced || !evictions.hasSynced) return;
    yield* scrapeObjects(
      { objects: hypervisors.cache.list(), labelsOf: hypervisorLabels, families: hypervisorFamilies },
      signal,
    );
    yield* scrapeObjects(
      { objects: evictions.cache.list(), labelsOf: evictionLabels, families: evictionFamilies },
      signal,
    );
  });
}
