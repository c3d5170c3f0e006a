import type { MetricsRegistry } from '@smalt/service-runtime';

import type { SourceMetrics } from '../observe/source-metrics.ts';

const REFRESH_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What an agent counts about itself. */
export interface AgentMetrics extends SourceMetrics {
  countStatusWrite(result: 'written' | 'failed'): void;
  countPartFailure(part: string): void;
  setReporting(isReporting: boolean): void;
}

/** Adds the metrics of the agent itself. Once per registry. */
export function addAgentMetrics(
  metrics: MetricsRegistry,
  { nodeName, version }: { readonly nodeName: string; readonly version: string },
): AgentMetrics {
  const counter = (name: string, help: string, label: string) =>
    metrics.counter({ name: `smalt_ovs_agent_${name}`, help, labelNames: [label] });
  const info = 'Always 1; the labels say which agent this is.';
  metrics
    .gauge({ name: 'smalt_ovs_agent_info', help: info, labelNames: ['node', 'version'] })
    .cell([nodeName, version])
    .set(1);
  const reporting = metrics.gauge({
    name: 'smalt_ovs_agent_reporting',
    help: 'Whether this agent is the one that writes the OVSNode.',
  });
  const writes = counter('status_writes_total', 'Writes of the OVSNode, by how they ended.', 'result');
  // There from the beginning, so that alerts see the first one as an increase.
  writes.cell(['failed']);
  const failures = counter('source_failures_total', 'Questions that were not answered.', 'source');
  const reconnects = counter('reconnects_total', 'Connections that were made anew after one was lost.', 'to');
  const parts = counter('part_failures_total', 'How often a part of the agent failed and was started again.', 'part');
  const refreshes = metrics.histogram({
    name: 'smalt_ovs_agent_refresh_seconds',
    help: 'How long a source took to bring what it knows up to date.',
    labelNames: ['source'],
    buckets: REFRESH_BUCKETS,
  });
  return {
    countStatusWrite: (result) => writes.cell([result]).add(),
    countPartFailure: (part) => parts.cell([part]).add(),
    setReporting: (isReporting) => reporting.cell([]).set(isReporting ? 1 : 0),
    observeRefresh: (source, seconds) => refreshes.cell([source]).observe(seconds),
    countFailure: (source) => failures.cell([source]).add(),
    countReconnect: (to) => reconnects.cell([to]).add(),
  };
}
