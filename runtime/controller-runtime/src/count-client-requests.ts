import type { Exchange } from '@smalt/kube';
import type { MetricsRegistry } from '@smalt/service-runtime';

/** Counts what a KubeClient asks for: give the result to it as `onExchange`. The name is that of Kubernetes' own client. */
export function countClientRequests(registry: MetricsRegistry): (exchange: Exchange) => void {
  const requests = registry.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to API servers by status code, method and host.',
    labelNames: ['code', 'method', 'host'],
  });
  return ({ code, method, host }) => requests.cell([code, method, host]).add();
}
