import { isNotFound } from '@smalt/kube';
import { matchesLabels } from '@smalt/kubernetes';
import { VirtualMachineInstancePhase } from '@smalt/vm-api';
import { currentPod, launcherName, type InstanceFacts } from '@smalt/vm-lifecycle';

import { instancesOf } from '../frame/add-indexes.ts';
import { launcherPods, podKind } from '../kinds/launcher-pod.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';

/**
 * Whether an instance on its way to a node has a pod by the API and none by the cache. A leader that has just begun may know the
 * instance better than the pod that the one before it made: it would give up what is well, and delete its pod.
 */
export async function isLauncherUnseen(
  { client, ignore }: Pick<VirtControllerContext, 'client' | 'ignore'>,
  facts: Pick<InstanceFacts, 'vmi' | 'pods'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { metadata, status } = facts.vmi;
  if (status?.phase !== VirtualMachineInstancePhase.scheduling || currentPod(facts) !== undefined) return false;
  const { name, namespace = '', uid = '' } = metadata;
  try {
    const pod = await client.resource(podKind).get(launcherName(name, uid), { namespace, signal });
    // One that the cache has as something else, or will never have, is not waited for.
    const isSeen = facts.pods.some((each) => each.metadata.uid === pod.metadata.uid);
    const isWatched = matchesLabels(launcherPods, pod.metadata.labels);
    return !isSeen && isWatched && instancesOf(pod).includes(`${namespace}/${uid}`);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance whose pod is gone is given up');
    return false;
  }
}
