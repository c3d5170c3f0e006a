import type { MetricsRegistry } from '@smalt/service-runtime';

/** What an agent counts about itself. */
export interface AgentMetrics {
  /** A status was written, or could not be. */
  countStatusWrite(result: 'written' | 'failed'): void;
  /** A part of the agent gave up and is started again. */
  countPartFailure(part: string): void;
  /** A part brought what it knows of the host up to date. */
  observeRefresh(part: string, seconds: number): void;
}

export interface AgentIdentity {
  readonly nodeName: string;
  readonly version: string;
  /** What the agent connects to, without a password or parameters. */
  readonly libvirtUri: string;
}

const REFRESH_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds the metrics of the agent itself. Once per registry. */
export function addAgentMetrics(metrics: MetricsRegistry, identity: AgentIdentity): AgentMetrics {
  metrics
    .gauge({
      name: 'smalt_agent_info',
      help: 'Always 1; the labels say which agent this is.',
      labelNames: ['node', 'version', 'libvirt_uri'],
    })
    .cell([identity.nodeName, identity.version, identity.libvirtUri])
    .set(1);
  const writes = metrics.counter({
    name: 'smalt_agent_status_writes_total',
    help: 'Writes of the status of the Hypervisor, by how they ended.',
    labelNames: ['result'],
  });
  // There from the beginning, so that alerts see the first one as an increase.
  writes.cell(['failed']);
  const failures = metrics.counter({
    name: 'smalt_agent_part_failures_total',
    help: 'How often a part of the agent failed and was started again.',
    labelNames: ['part'],
  });
  const refreshes = metrics.histogram({
    name: 'smalt_agent_refresh_seconds',
    help: 'How long a part took to bring what it knows of the host up to date.',
    labelNames: ['part'],
    buckets: REFRESH_BUCKETS,
  });
  return {
    countStatusWrite: (result) => writes.cell([result]).add(),
    countPartFailure: (part) => failures.cell([part]).add(),
    observeRefresh: (part, seconds) => refreshes.cell([part]).observe(seconds),
  };
}
