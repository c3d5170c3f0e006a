import type { Clock } from '@smalt/controller-runtime';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { AgentTimes, SouthboundOptions } from '../ovs-agent-options.ts';
import type { SourceMetrics } from './source-metrics.ts';

/** Where the switch of a node is, how often it is asked, and what else is asked. */
export interface ObserverOptions {
  readonly runDirectories: readonly string[];
  /** Where processes and devices of the host are seen. */
  readonly proc: string;
  readonly sysfs: string;
  /** Where `unix:` remotes of OVN are found. */
  readonly root: string;
  readonly times: AgentTimes;
  /** Undefined does not read the southbound database. */
  readonly southbound: SouthboundOptions | undefined;
  /** Undefined does not ask libvirt. */
  readonly libvirtUri: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: SourceMetrics;
  /** The ids of the captures that run now, where this agent can capture. */
  readonly runningCaptures?: (() => ReadonlySet<string>) | undefined;
}
