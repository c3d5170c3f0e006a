import type { MetricsRegistry } from '@smalt/service-runtime';

/** What Prometheus is told. */
export interface VirtApiMetrics {
  countReview(plural: string, isTaken: boolean): void;
  countCall(subresource: string, code: number): void;
}

/** Makes the metrics; `openStreams` is asked at each scrape. */
export function virtApiMetrics(metrics: MetricsRegistry, openStreams: () => number): VirtApiMetrics {
  const streams = metrics.gauge({
    name: 'smalt_virt_api_streams',
    help: 'Consoles, screens and forwarded ports that are open now.',
  });
  metrics.onCollect(() => streams.cell([]).set(openStreams()));
  const reviews = metrics.counter({
    name: 'smalt_virt_api_reviews_total',
    help: 'Writes that were looked at, by resource, and whether they were taken or refused.',
    labelNames: ['resource', 'verdict'],
  });
  const calls = metrics.counter({
    name: 'smalt_virt_api_calls_total',
    help: 'Requests to subresources, by name and the code of their answer.',
    labelNames: ['subresource', 'code'],
  });
  return {
    countReview: (plural, isTaken) => reviews.cell([plural, isTaken ? 'taken' : 'refused']).add(),
    countCall: (subresource, code) => calls.cell([subresource, String(code)]).add(),
  };
}
