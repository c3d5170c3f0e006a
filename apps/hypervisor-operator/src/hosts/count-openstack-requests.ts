import type { Exchange } from '@smalt/openstack';
import type { MetricsRegistry } from '@smalt/service-runtime';

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts what an OpenStackClient asks for, and how long it takes: give the result to it as `onExchange`. */
export function countOpenStackRequests(registry: MetricsRegistry): (exchange: Exchange) => void {
  const requests = registry.counter({
    name: 'smalt_openstack_requests_total',
    help: 'Requests to OpenStack by service, method, path with names for ids, and status; error codes where there was no answer.',
    labelNames: ['service', 'method', 'path', 'status'],
  });
  const durations = registry.histogram({
    name: 'smalt_openstack_request_duration_seconds',
    help: 'How long requests to OpenStack took, by service and method.',
    labelNames: ['service', 'method'],
    buckets: BUCKETS,
  });
  return ({ service, method, path, status, code, durationMs }) => {
    requests.cell([service, method, path, status === undefined ? (code ?? 'unknown') : String(status)]).add();
    durations.cell([service, method]).observe(durationMs / 1000);
  };
}
