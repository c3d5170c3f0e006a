import type { Counter, Gauge, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

/** What Prometheus is told of the console. */
export class ConsoleMetrics {
  readonly requests: MetricFamily<Counter>;
  readonly signIns: MetricFamily<Counter>;
  readonly dropped: Counter;
  readonly lives: Gauge;
  readonly follows: Gauge;
  readonly tunnels: Gauge;

  constructor(metrics: MetricsRegistry) {
    this.requests = metrics.counter({
      name: 'smalt_console_requests_total',
      help: 'Requests by who answers them, and how.',
      labelNames: ['route', 'code'],
    });
    this.signIns = metrics.counter({
      name: 'smalt_console_sign_ins_total',
      help: 'Attempts to sign in, by how they ended.',
      labelNames: ['result'],
    });
    this.dropped = metrics
      .counter({
        name: 'smalt_console_dropped_follows_total',
        help: 'Follows that began anew because the browser was too slow.',
        labelNames: [],
      })
      .cell([]);
    this.lives = metrics
      .gauge({ name: 'smalt_console_live_connections', help: 'Pages that are connected.', labelNames: [] })
      .cell([]);
    this.follows = metrics
      .gauge({ name: 'smalt_console_follows', help: 'What all pages follow.', labelNames: [] })
      .cell([]);
    this.tunnels = metrics
      .gauge({ name: 'smalt_console_tunnels', help: 'Consoles, screens and other streams.', labelNames: [] })
      .cell([]);
  }
}
