import type { Clock, EventRecorder, Informer } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { Claim, ClaimedVolume, Node, StorageClass } from '@smalt/placement';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { ScheduledPod } from './scheduled-pod.ts';
import type { SchedulerMetrics } from './scheduler-metrics.ts';

/** What the parts of a scheduler share. */
export interface SchedulerContext {
  readonly client: KubeClient;
  readonly schedulerName: string | undefined;
  readonly pods: Informer<ScheduledPod>;
  readonly nodes: Informer<Node>;
  readonly namespaces: Informer<KubernetesObject>;
  readonly claims: Informer<Claim>;
  readonly volumes: Informer<ClaimedVolume>;
  readonly classes: Informer<StorageClass>;
  readonly recorder: EventRecorder;
  readonly metrics: SchedulerMetrics;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly clock: Clock;
}
