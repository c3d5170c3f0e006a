import { diskTargets } from '@smalt/domain-xml';
import { VolumePhase, type VirtualMachineInstance, type Volume, type VolumeStatus } from '@smalt/vm-api';
import { holdsOtherClaim } from '@smalt/vm-lifecycle';

import type { ObservedGuest } from './observed-guest.ts';

/** What the status says of each volume: where the guest sees it, and how far those are that are plugged in. */
export function guestVolumes(
  instance: VirtualMachineInstance,
  { domain, volumeProblems }: Pick<ObservedGuest, 'domain' | 'volumeProblems'>,
): readonly VolumeStatus[] {
  const targets = diskTargets(domain.report, instance);
  const before = new Map((instance.status?.volumeStatus ?? []).map((each) => [each.name, each]));
  const wanted = (instance.spec.volumes ?? []).map((volume): VolumeStatus => {
    const target = targets.get(volume.name) ?? '';
    const known = before.get(volume.name) ?? { name: volume.name, target };
    if (!isHotplugged(volume)) return { ...known, target };
    const isOther = holdsOtherClaim(instance, volume.name);
    if (isOther && target !== '') return { ...known, target, ...DETACHING };
    // That no pod is named any more lets the controller take away the one of the claim before.
    const free = isOther ? { ...known, hotplugVolume: {} } : known;
    return plugged({ ...free, target }, volumeProblems.get(volume.name));
  });
  const names = new Set(wanted.map(({ name }) => name));
  // Plugged out for the API, and not yet by the guest.
  const leaving = [...targets]
    .filter(([name]) => !names.has(name) && before.get(name)?.hotplugVolume !== undefined)
    .map(([name, target]): VolumeStatus => ({ ...before.get(name), name, target, ...DETACHING }));
  return [...wanted, ...leaving].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Whether a volume may be plugged in and out while the guest runs. */
export function isHotplugged({ persistentVolumeClaim, dataVolume }: Volume): boolean {
  return persistentVolumeClaim?.hotpluggable === true || dataVolume?.hotpluggable === true;
}

const DETACHING = {
  phase: VolumePhase.detaching,
  reason: 'VolumeDetaching',
  message: 'The guest has been asked to let go of the volume',
} as const;

function plugged(known: VolumeStatus, problem: string | undefined): VolumeStatus {
  const hotplugVolume = known.hotplugVolume ?? {};
  if (problem !== undefined) {
    return { ...known, hotplugVolume, phase: VolumePhase.pending, reason: 'FailedAttachVolume', message: problem };
  }
  if (known.target === '') {
    const message = 'The volume is being plugged in';
    return { ...known, hotplugVolume, phase: VolumePhase.pending, reason: 'VolumePending', message };
  }
  const message = 'Successfully attach hotplugged volume to VM';
  return { ...known, hotplugVolume, phase: VolumePhase.ready, reason: 'VolumeReady', message };
}
