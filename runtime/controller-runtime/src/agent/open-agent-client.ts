import { KubeClient, type KubeConfig } from '@smalt/kube';
import type { MetricsRegistry } from '@smalt/service-runtime';

import { countClientRequests } from '../count-client-requests.ts';
import type { ApiOutages } from './api-outages.ts';

export interface AgentClientOptions {
  readonly kubeConfig: KubeConfig;
  readonly userAgent: string;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly metrics: MetricsRegistry;
  readonly apiOutages: ApiOutages;
}

/** The client of an agent: each answer is counted, and tells whether the API server is there. */
export function openAgentClient(options: AgentClientOptions): KubeClient {
  const { kubeConfig, userAgent, environment, metrics, apiOutages } = options;
  const count = countClientRequests(metrics);
  return new KubeClient({
    config: kubeConfig,
    userAgent,
    environment,
    onExchange: (exchange) => {
      count(exchange);
      apiOutages.observe(exchange);
    },
  });
}
