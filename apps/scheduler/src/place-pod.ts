import { isInvalidObject, type Placement } from '@smalt/placement';
import { messageOf } from '@smalt/service-runtime';

import { claimRefusal, type Refusal } from './decide-pod.ts';
import type { KnownCluster } from './known-cluster.ts';
import type { ScheduledPod } from './scheduled-pod.ts';

export type PlacedPod =
  | Extract<Placement, { kind: 'placed' }>
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Chooses a node for a pod. API servers let no nonsense in, but what older ones have let in must not hold others up. */
export function placePod(cluster: Pick<KnownCluster, 'place'>, pod: ScheduledPod): PlacedPod {
  const refusal = claimRefusal(pod);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  try {
    const placement = cluster.place(pod);
    if (placement.kind === 'placed') return placement;
    return { kind: 'refused', refusal: { reason: 'Unschedulable', message: placement.message } };
  } catch (error) {
    if (!isInvalidObject(error)) throw error;
    return { kind: 'refused', refusal: { reason: 'SchedulerError', message: messageOf(error) } };
  }
}
