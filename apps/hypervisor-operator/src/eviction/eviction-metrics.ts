import type { EvictionHappening, EvictionStep } from '@smalt/eviction-plan';
import type { Counter, Histogram, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

const SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** How moves go, over all evictions; how far each eviction is stands in its status. */
export interface EvictionMetrics {
  readonly began: (step: EvictionStep) => void;
  readonly happened: (happening: EvictionHappening) => void;
}

/** Counts moves that were begun, and how they ended. */
export function createEvictionMetrics(metrics: MetricsRegistry): EvictionMetrics {
  const started = metrics.counter({
    name: 'smalt_eviction_moves_started_total',
    help: 'Moves that evictions asked for, live or cold.',
    labelNames: ['kind'],
  });
  const ended: MetricFamily<Counter> = metrics.counter({
    name: 'smalt_eviction_moves_ended_total',
    help: 'Moves of evictions that ended: succeeded, failed, or aborted because they took too long.',
    labelNames: ['result'],
  });
  const duration: MetricFamily<Histogram> = metrics.histogram({
    name: 'smalt_eviction_move_duration_seconds',
    help: 'How long moves took that evictions began and that succeeded.',
    buckets: SECONDS,
  });
  return {
    began: ({ kind }) => {
      if (kind === 'start-live' || kind === 'start-cold') started.cell([kind.slice('start-'.length)]).add();
    },
    happened: ({ kind, tookMs, isEndOfMove }) => {
      if (kind === 'moved' && tookMs !== undefined) {
        ended.cell(['succeeded']).add();
        duration.cell([]).observe(tookMs / 1000);
      }
      if (isEndOfMove === true) ended.cell([kind === 'aborted' ? 'aborted' : 'failed']).add();
    },
  };
}
