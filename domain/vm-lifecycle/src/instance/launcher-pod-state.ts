import type { Pod, PodStatus } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

import type { StatusCondition } from '../conditions/conditions.ts';

/** A launcher pod as the API shows it, as far as it is read. */
export interface ObservedPod extends Pod {
  readonly status?: ObservedPodStatus;
}

export interface ObservedPodStatus extends PodStatus {
  readonly conditions?: readonly StatusCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly imageID?: string;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

/** The gate that keeps a pod from being ready while its guest is paused. */
export const UNPAUSED_GATE = 'kubevirt.io/virtual-machine-unpaused';

/** How far a launcher pod is, in one word. */
export type PodState = 'starting' | 'ready' | 'leaving' | 'ended';

/** Whether a pod can carry a guest; the gate of paused guests does not count. */
export function podState({ metadata, status }: ObservedPod): PodState {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 'ended';
  if (metadata.deletionTimestamp !== undefined) return 'leaving';
  const containers = status?.containerStatuses ?? [];
  const isReady =
    status?.phase === 'Running' && containers.length > 0 && containers.every(({ ready }) => ready === true);
  return isReady ? 'ready' : 'starting';
}

/** Whether a pod was made to take an instance over from another node. */
export function isTargetPod({ metadata }: Pod): boolean {
  return metadata.labels?.[WellKnownName.migrationJobLabel] !== undefined;
}

/** The first image of a pod that could not be pulled, in the words of the API. */
export function imageProblem({
  status,
}: ObservedPod): { readonly reason: string; readonly message: string } | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name, state } of all) {
    const { reason, message } = state?.waiting ?? {};
    if (reason !== 'ErrImagePull' && reason !== 'ImagePullBackOff') continue;
    return { reason, message: message ?? `the image of container ${name} cannot be pulled; check its name and access` };
  }
  return undefined;
}
