import type { Counter, Gauge, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

/** The metrics of the agent. */
export interface HaMetrics {
  readonly events: MetricFamily<Counter>;
  readonly skipped: MetricFamily<Counter>;
  readonly pushes: MetricFamily<Counter>;
  readonly records: MetricFamily<Counter>;
  readonly dropped: MetricFamily<Counter>;
  readonly queueRecords: MetricFamily<Gauge>;
  readonly queueBytes: MetricFamily<Gauge>;
  readonly queueOldest: MetricFamily<Gauge>;
  readonly queueDegraded: MetricFamily<Gauge>;
  readonly uptime: MetricFamily<Gauge>;
  readonly instances: MetricFamily<Gauge>;
  readonly guestPings: MetricFamily<Counter>;
  readonly guestsSilent: MetricFamily<Gauge>;
  readonly settingsValid: MetricFamily<Gauge>;
}

/** Declares the metrics, once for the life of the process. */
export function declareHaMetrics(metrics: MetricsRegistry): HaMetrics {
  const counter = (name: string, help: string, ...labelNames: readonly string[]): MetricFamily<Counter> =>
    metrics.counter({ name: `smalt_ha_agent_${name}`, help, labelNames });
  const gauge = (name: string, help: string, ...labelNames: readonly string[]): MetricFamily<Gauge> =>
    metrics.gauge({ name: `smalt_ha_agent_${name}`, help, labelNames });
  return {
    events: counter('events_total', 'Events of domains, by kind, reported or not.', 'kind'),
    skipped: counter(
      'events_skipped_total',
      'Events that the report settings leave out, by what left them out.',
      'why',
    ),
    pushes: counter('pushes_total', 'Batches that were sent to the HA service, by result.', 'result'),
    records: counter('records_delivered_total', 'Records that the HA service has acknowledged.'),
    dropped: counter('records_dropped_total', 'Records that will never reach the HA service, by reason.', 'reason'),
    queueRecords: gauge('queue_records', 'Records that wait for the HA service.'),
    queueBytes: gauge('queue_bytes', 'Bytes of the records that wait for the HA service.'),
    queueOldest: gauge('queue_oldest_seconds', 'How long the oldest record waits for the HA service.'),
    queueDegraded: gauge('queue_degraded', 'Whether the queue cannot be written to disk.'),
    uptime: gauge('host_uptime_seconds', 'How long the host is up, as last reported.'),
    instances: gauge('instances', 'Domains of the host as last reported, by state.', 'state'),
    guestPings: counter('guest_pings_total', 'Pings of agents in guests, by result.', 'result'),
    guestsSilent: gauge('guests_silent', 'Guests whose agent is connected and does not answer.'),
    settingsValid: gauge('report_settings_valid', 'Whether the newest report settings could be used.'),
  };
}
