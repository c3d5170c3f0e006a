import { parseGoDuration, type MigrationRole, type Observation } from '@smalt/migration-record';
import type { Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

const DURATIONS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const DOWNTIMES = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of migrations, as this host sees them. */
export class MigrationMetrics {
  readonly #total: MetricFamily<Counter>;
  readonly #duration: MetricFamily<Histogram>;
  readonly #downtime: MetricFamily<Histogram>;
  readonly #active: MetricFamily<Gauge>;
  readonly #waiting: Gauge;

  constructor(registry: MetricsRegistry) {
    this.#total = registry.counter({
      name: 'smalt_migrations_total',
      help: 'Live migrations that ended, by what this host was in them and how they ended.',
      labelNames: ['role', 'result'],
    });
    // There from the beginning, so that alerts see the first one as an increase.
    for (const role of ['origin', 'destination']) this.#total.cell([role, 'failed']);
    this.#duration = registry.histogram({
      name: 'smalt_migration_duration_seconds',
      help: 'How long live migrations took.',
      labelNames: ['role', 'result'],
      buckets: DURATIONS,
    });
    this.#downtime = registry.histogram({
      name: 'smalt_migration_downtime_seconds',
      help: 'How long guests stood still when they moved.',
      labelNames: ['role'],
      buckets: DOWNTIMES,
    });
    this.#active = registry.gauge({
      name: 'smalt_migrations_active',
      help: 'Live migrations under way.',
      labelNames: ['role'],
    });
    const waiting = {
      name: 'smalt_migration_records_waiting',
      help: 'Migrations that the API has not been told of yet.',
    };
    this.#waiting = registry.gauge(waiting).cell([]);
  }

  countEnd({ role, result, elapsedMs }: Observation): void {
    if (result === undefined) return;
    this.#total.cell([role, result.kind]).add();
    this.#duration.cell([role, result.kind]).observe(elapsedMs / 1000);
  }

  observeDowntime({ role, progress }: Observation): void {
    const downtimeMs = parseGoDuration(progress.downtime ?? '');
    if (downtimeMs !== undefined) this.#downtime.cell([role]).observe(downtimeMs / 1000);
  }

  setActive(role: MigrationRole, count: number): void {
    this.#active.cell([role]).set(count);
  }

  setWaiting(count: number): void {
    this.#waiting.set(count);
  }
}
