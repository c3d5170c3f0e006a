import type { VolumeStatus } from '@smalt/vm-api';

import { holdsOtherClaim, isFitting } from '../attachment/attachment-fit.ts';
import { attachedVolumeOf } from '../attachment/build-attachment-pod.ts';
import type { InstanceFacts } from './instance-facts.ts';
import { podState } from './launcher-pod-state.ts';

/** What the status says of each volume: what the handler has said, and what is known of claims and who holds them. */
export function volumeStatuses({
  vmi,
  storage: { claims },
  attachments = [],
}: Pick<InstanceFacts, 'vmi' | 'storage' | 'attachments'>): readonly VolumeStatus[] {
  const { spec, status } = vmi;
  const known = new Map((status?.volumeStatus ?? []).map((each) => [each.name, each]));
  const holders = new Map(
    attachments
      .filter((pod) => podState(pod) === 'ready' && isFitting(vmi, pod))
      .map((pod) => [attachedVolumeOf(pod), pod.metadata]),
  );
  const statuses = (spec.volumes ?? []).map(({ name }): VolumeStatus => {
    const before = known.get(name);
    // What is plugged in is still that of the claim before: the handler says when the guest has let go of it.
    if (before !== undefined && holdsOtherClaim(vmi, name)) return before;
    const info = claims.get(name);
    const holder = holders.get(name);
    return {
      ...(before ?? { name, target: '' }),
      ...(info === undefined ? {} : { persistentVolumeClaimInfo: info }),
      ...(holder === undefined
        ? {}
        : { hotplugVolume: { attachPodName: holder.name, attachPodUID: holder.uid ?? '' } }),
    };
  });
  // One that is plugged out stays until the handler has let go of it.
  const named = new Set((spec.volumes ?? []).map(({ name }) => name));
  const leaving = [...known.values()].filter((each) => each.hotplugVolume !== undefined && !named.has(each.name));
  return [...statuses, ...leaving].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
