import { isEndedPod } from '@smalt/placement';

import type { PodCondition, ScheduledPod } from './scheduled-pod.ts';

const DEFAULT_SCHEDULER = 'default-scheduler';
const SCHEDULED = 'PodScheduled';

/** Whether a pod waits for this scheduler to give it a node. */
export function isToPlace(pod: ScheduledPod, schedulerName: string = DEFAULT_SCHEDULER): boolean {
  const { metadata, spec } = pod;
  const isPlaced = spec.nodeName !== undefined && spec.nodeName !== '';
  if (isPlaced || isEndedPod(pod) || metadata.deletionTimestamp !== undefined) return false;
  return (spec.schedulingGates ?? []).length === 0 && (spec.schedulerName ?? DEFAULT_SCHEDULER) === schedulerName;
}

/** Why a pod has no node, for its condition. */
export interface Refusal {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
}

/** Why a pod can be given no node at all here; undefined when it can. */
export function claimRefusal({ spec }: ScheduledPod): Refusal | undefined {
  const names = (spec.resourceClaims ?? []).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const message = `spec.resourceClaims: nothing here allocates devices for the claims ${names.join(', ')}; ask for a device by its resource name instead`;
  return { reason: 'Unschedulable', message };
}

/** The condition that says why a pod has no node; undefined when the pod says so already. */
export function refusalCondition(
  { status }: ScheduledPod,
  { reason, message }: Refusal,
  now: number,
): PodCondition | undefined {
  const known = status?.conditions?.find(({ type }) => type === SCHEDULED);
  const isFalse = known?.status === 'False';
  if (isFalse && known.reason === reason && known.message === message) return undefined;
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const lastTransitionTime = isFalse ? (known.lastTransitionTime ?? time) : time;
  return { type: SCHEDULED, status: 'False', reason, message, lastTransitionTime };
}
