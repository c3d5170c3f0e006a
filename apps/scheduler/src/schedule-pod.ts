import { done, type ObjectKey, type Outcome } from '@smalt/controller-runtime';
import { isConflict, isNotFound } from '@smalt/kube';
import { resourcePath } from '@smalt/kubernetes';

import { isToPlace, refusalCondition, type Refusal } from './decide-pod.ts';
import type { KnownCluster } from './known-cluster.ts';
import { placePod } from './place-pod.ts';
import { podKind, type ScheduledPod } from './scheduled-pod.ts';
import type { SchedulerContext } from './scheduler-context.ts';
import type { AttemptResult } from './scheduler-metrics.ts';
import type { WaitingPods } from './waiting-pods.ts';

/** What one look at a pod needs. */
export interface PodScheduling extends Pick<
  SchedulerContext,
  'client' | 'schedulerName' | 'pods' | 'recorder' | 'metrics' | 'ignore' | 'clock'
> {
  readonly cluster: KnownCluster;
  readonly waiting: WaitingPods;
}

/** Gives a pod its node by one write, or says why there is none. */
export async function schedulePod(scheduling: PodScheduling, key: ObjectKey, signal: AbortSignal): Promise<Outcome> {
  const { pods, cluster, waiting, schedulerName, clock, metrics } = scheduling;
  waiting.delete(key);
  const pod = pods.cache.get(key);
  if (pod === undefined || !isToPlace(pod, schedulerName) || cluster.isBound(pod)) return done;
  const startedAt = clock.monotonic();
  let result: AttemptResult = 'error';
  try {
    const placement = placePod(cluster, pod);
    if (placement.kind === 'placed') await bind(scheduling, pod, placement.nodeName, signal);
    else await refuse(scheduling, pod, placement.refusal, signal);
    result = placement.kind === 'placed' ? 'scheduled' : 'unschedulable';
  } finally {
    metrics.attempted(result, (clock.monotonic() - startedAt) / 1000);
  }
  return done;
}

async function bind(
  scheduling: PodScheduling,
  pod: ScheduledPod,
  nodeName: string,
  signal: AbortSignal,
): Promise<void> {
  const { client, cluster, recorder, ignore } = scheduling;
  const { name, namespace, uid } = pod.metadata;
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    // The uid keeps a new pod of the same name from what was meant for the old one.
    metadata: { name, namespace, uid },
    target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
  };
  const path = resourcePath({ ...podKind, namespace, name, subresource: 'binding' });
  try {
    await client.request({ method: 'POST', path, body: JSON.stringify(body), signal });
    cluster.confirm(pod);
  } catch (error) {
    cluster.forget(pod);
    if (!isConflict(error) && !isNotFound(error)) throw error;
    ignore(error, 'a pod that was changed meanwhile is looked at again when the change is seen');
    return;
  }
  void recorder.record(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${nodeName}`);
}

async function refuse(
  { client, waiting, recorder, clock }: PodScheduling,
  pod: ScheduledPod,
  refusal: Refusal,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace } = pod.metadata;
  waiting.add(`${namespace}/${name}`);
  const condition = refusalCondition(pod, refusal, clock.now());
  if (condition === undefined) return;
  const status = { conditions: [condition] };
  try {
    await client.resource(podKind).patch(name, 'strategic', { status }, { namespace, subresource: 'status', signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    waiting.delete(`${namespace}/${name}`);
    return;
  }
  void recorder.record(pod, 'Warning', 'FailedScheduling', refusal.message);
}
