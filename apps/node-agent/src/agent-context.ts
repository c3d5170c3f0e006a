import type { EventRecorder, Informers } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import type { LibvirtSession } from '@smalt/libvirt';
import type { HealthRegistry, Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { HypervisorView } from './hypervisor-view.ts';
import type { StatusBoard } from './status/status-board.ts';

/** What the parts of an agent share. A part asks for those it needs: `Pick<AgentContext, 'session' | 'board'>`. */
export interface AgentContext {
  /** The name of the node, and of its Hypervisor. */
  readonly nodeName: string;
  /** Where Migrations and the Lease of this agent live, and the only place secrets are taken from. */
  readonly namespace: string;
  /** Where the agent keeps what must outlive it, mode 0700. */
  readonly stateDirectory: string;
  /** Comes back by itself; calls fail while the daemon is away. */
  readonly session: LibvirtSession;
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly hypervisor: HypervisorView;
  readonly board: StatusBoard;
  readonly recorder: EventRecorder;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly now: () => Date;
}
