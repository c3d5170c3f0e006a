import type { Compute } from '@smalt/compute';
import type { Clock, EventRecorder, Informer, Informers } from '@smalt/controller-runtime';
import type { Eviction, Hypervisor } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import type { OVSNode } from '@smalt/ovs-api';
import type { HealthRegistry, Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { ClusterNode } from './nodes/cluster-node.ts';

/** What the controllers share. Each asks for those it needs: `Pick<OperatorContext, 'client' | 'hypervisors'>`. */
export interface OperatorContext {
  readonly client: KubeClient;
  /** For kinds that one controller alone looks at. */
  readonly informers: Informers;
  /** The hypervisors of this shard, without what no controller reads: see `slimHypervisor`. */
  readonly hypervisors: Informer<Hypervisor>;
  /** All evictions, those of other shards included. */
  readonly evictions: Informer<Eviction>;
  /** The nodes of this shard. */
  readonly nodes: Informer<ClusterNode>;
  /** Undefined where the cluster does not have the kind. */
  readonly ovsNodes: Informer<OVSNode> | undefined;
  readonly compute: Compute;
  readonly recorder: EventRecorder;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly clock: Clock;
}
