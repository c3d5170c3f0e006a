import { isEndedPod, type Pod } from '@smalt/placement';
import { isFinalPhase, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';
import { isTargetPod, possibleNodes } from '@smalt/vm-lifecycle';

import { labelled } from '../label-selectors.ts';
import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

/**
 * Why an instance counts for a node: it is there, its launcher is, which starts the guest as soon as it is ready, or it runs
 * elsewhere and the launcher that is to take it over is there.
 */
export type Binding = 'home' | 'start' | 'arrival';

export interface BoundInstance {
  readonly vmi: VirtualMachineInstance;
  readonly binding: Binding;
}

/**
 * The instances that a node has or may get without anybody asking for it: a launcher that is bound there goes on, though the
 * node was cordoned since. Those that have come to their end are on no node any more, though they still say where they were.
 */
export async function boundInstances(
  api: VmApiAccess,
  nodeName: string,
  signal: AbortSignal,
): Promise<readonly BoundInstance[]> {
  // Before the instances: what these say is newer then than that a launcher is there.
  const launchers = await launchersOn(api, nodeName, signal);
  const { nodeNameLabel, migrationTargetNodeNameLabel } = WellKnownName;
  const labels = [nodeNameLabel, migrationTargetNodeNameLabel];
  const labelledOnes = await Promise.all(
    labels.map((label) => api.all(api.instances, { labelSelector: labelled(label, nodeName), signal })),
  );
  const found = new Map(labelledOnes.flat().map((vmi) => [vmi.metadata.uid, vmi]));
  const others = launchers.filter((pod) => !found.has(ownerOf(pod)?.uid));
  const owners = await Promise.all(others.map((pod) => readOwner(api, pod, signal)));
  for (const vmi of owners) if (vmi !== undefined) found.set(vmi.metadata.uid, vmi);
  return [...found.values()].flatMap((vmi) => {
    const binding = bindingOf(vmi, nodeName, launchers);
    return binding === undefined ? [] : [{ vmi, binding }];
  });
}

/** The launcher pods that are bound to a node and have not ended. */
export async function launchersOn(api: VmApiAccess, nodeName: string, signal: AbortSignal): Promise<readonly Pod[]> {
  const labelSelector = labelled(WellKnownName.appLabel, 'virt-launcher');
  const fieldSelector = { requirements: [{ field: 'spec.nodeName', isEqual: true, value: nodeName }] };
  const pods = await api.all(api.pods, { labelSelector, fieldSelector, signal });
  return pods.filter((pod) => !isEndedPod(pod));
}

/** Why an instance counts for a node with these launchers; undefined when it does not. */
export function bindingOf(
  vmi: VirtualMachineInstance,
  nodeName: string,
  launchers: readonly Pod[],
): Binding | undefined {
  const { metadata, status } = vmi;
  if (isFinalPhase(status?.phase)) return undefined;
  if (metadata.labels?.[WellKnownName.nodeNameLabel] === nodeName || status?.nodeName === nodeName) return 'home';
  if (possibleNodes(vmi).includes(nodeName)) return 'arrival';
  const own = launchers.filter((pod) => ownerOf(pod)?.uid === metadata.uid && !isLeftBehind(vmi, pod));
  const isPlaced = status?.nodeName !== undefined && status.nodeName !== '';
  // One that is being deleted counts: the controller may not have seen that yet. Once it has, the instance is at its end.
  if (!isPlaced) return own.length === 0 ? undefined : 'start';
  return own.some((pod) => isSource(vmi, pod) || mayTakeOver(pod)) ? 'arrival' : undefined;
}

/** A source says that its guest has gone over only once it has nothing of it any more. */
function isLeftBehind({ status }: VirtualMachineInstance, { metadata }: Pod): boolean {
  const { completed, failed, sourcePod } = status?.migrationState ?? {};
  return completed === true && failed !== true && sourcePod === metadata.name;
}

/** Whether a migration takes the guest from where a launcher is, which may have something of it until that is over. */
function isSource({ status }: VirtualMachineInstance, { spec }: Pod): boolean {
  const { completed, sourceNode } = status?.migrationState ?? {};
  return completed !== true && sourceNode === spec.nodeName;
}

/**
 * Whether a guest that runs elsewhere may be sent to a launcher: only to one that was made for a migration, and that is ready,
 * as none is any more that is being deleted. Others wait for their end, on a dead node for ever.
 */
function mayTakeOver(pod: Pod): boolean {
  return isTargetPod(pod) && pod.metadata.deletionTimestamp === undefined;
}

interface Owner {
  readonly name: string;
  readonly uid: string;
}

function ownerOf({ metadata }: Pod): Owner | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachineInstance');
}

/** The instance that a launcher was made for; undefined when it is gone, and another may have its name. */
async function readOwner(api: VmApiAccess, pod: Pod, signal: AbortSignal): Promise<VirtualMachineInstance | undefined> {
  const owner = ownerOf(pod);
  if (owner === undefined) return undefined;
  const { namespace } = pod.metadata;
  const vmi = await unlessGone('read', () => api.instances.get(owner.name, { namespace, signal }));
  return vmi?.metadata.uid === owner.uid ? vmi : undefined;
}
