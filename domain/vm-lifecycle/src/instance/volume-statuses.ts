import type { VirtualMachineInstance, VolumeStatus } from '@smalt/vm-api';

import type { InstanceStorage } from './instance-facts.ts';

/** What the status says of each volume: what the handler has said, and what is known of claims. */
export function volumeStatuses(
  { spec, status }: VirtualMachineInstance,
  { claims }: InstanceStorage,
): readonly VolumeStatus[] {
  const known = new Map((status?.volumeStatus ?? []).map((each) => [each.name, each]));
  const statuses = (spec.volumes ?? []).map(({ name }): VolumeStatus => {
    const info = claims.get(name);
    const before = known.get(name) ?? { name, target: '' };
    return info === undefined ? before : { ...before, persistentVolumeClaimInfo: info };
  });
  // One that is plugged out stays until the handler has let go of it.
  const named = new Set((spec.volumes ?? []).map(({ name }) => name));
  const leaving = [...known.values()].filter((each) => each.hotplugVolume !== undefined && !named.has(each.name));
  return [...statuses, ...leaving].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
