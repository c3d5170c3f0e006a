import type { Clock } from '@smalt/controller-runtime';
import type { Systemd } from '@smalt/systemd';

import type { AgentContext } from '../agent-context.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';

export type HostContext = Pick<AgentContext, 'session' | 'hypervisor' | 'board' | 'metrics' | 'logger' | 'ignore'>;

export interface HostSettings {
  /** How often to look for what no event tells. */
  readonly pollMs: number;
  /** How long a domain may take to describe itself; 20 s if not given. */
  readonly domainTimeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly agentMetrics: Pick<AgentMetrics, 'observeRefresh'>;
  /** Asked whether a daemon runs when connecting fails. */
  readonly systemd?: Pick<Systemd, 'unitStates'> | undefined;
}
