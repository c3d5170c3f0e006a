import type { ConditionStatement } from '@smalt/controller-runtime';
import type { LibvirtSession } from '@smalt/libvirt';
import type { HealthRegistry, Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { HaAgentSettings } from './ha-agent-settings.ts';

/** Something worth an event about the hypervisor in the API. */
export interface HaNotice {
  readonly type: 'Normal' | 'Warning';
  /** One CamelCase word. */
  readonly reason: string;
  /** A sentence with the name of the domain. */
  readonly message: string;
}

/** What the agent works with. */
export interface HaAgentDeps {
  /** Comes back by itself; calls fail while the daemon is away. */
  readonly session: Pick<
    LibvirtSession,
    | 'connected'
    | 'connectGetAllDomainStats'
    | 'connectListAllDomains'
    | 'domainEvents'
    | 'domainGetJobInfo'
    | 'domainGetState'
    | 'domainGetXmlDesc'
    | 'qemuDomainAgentCommand'
    | 'state'
  >;
  readonly nodeName: string;
  /** Where the queue is kept, in a directory of its own. */
  readonly stateDirectory: string;
  readonly settings: HaAgentSettings;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly ignore: Ignore;
  /** The time of day, for people and the service; nothing is measured with it. */
  readonly now: () => Date;
  /** Told the condition `HaAgent` whenever it changes. */
  readonly status?: ((condition: ConditionStatement) => void) | undefined;
  /** Told of what is worth an event in the API. */
  readonly recorder?: ((notice: HaNotice) => void) | undefined;
  /** Where the kernel tells about itself. Default `/proc`. */
  readonly procDirectory?: string | undefined;
}
