import { claimNameOf } from '@smalt/placement';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { ObservedPod } from '../instance/launcher-pod-state.ts';
import { attachedVolumeOf } from './build-attachment-pod.ts';
import { pluggedClaims } from './plugged-claims.ts';

/** Whether a pod holds the claim that its instance wants for the volume now, on the node of the guest. */
export function isFitting(vmi: VirtualMachineInstance, pod: ObservedPod): boolean {
  const claimName = wantedClaim(vmi, attachedVolumeOf(pod));
  return claimName !== undefined && attachedClaimOf(pod) === claimName && !isElsewhere(vmi, pod);
}

/** Whether a pod is on another node than the guest. */
export function isElsewhere({ status }: VirtualMachineInstance, { spec }: ObservedPod): boolean {
  const { nodeName = '' } = status ?? {};
  return nodeName !== '' && spec.nodeName !== undefined && spec.nodeName !== nodeName;
}

/**
 * Whether the handler may still have the guest use what a pod holds: the status names the pod, or the volume has been plugged
 * out and nobody has said that the guest has let go of it.
 */
export function isHeld(vmi: VirtualMachineInstance, pod: ObservedPod): boolean {
  const volumeName = attachedVolumeOf(pod);
  const told = vmi.status?.volumeStatus?.find(({ name }) => name === volumeName);
  if (told === undefined) return false;
  const holder = told.hotplugVolume?.attachPodUID ?? '';
  return holder === '' ? wantedClaim(vmi, volumeName) === undefined : holder === pod.metadata.uid;
}

/**
 * Whether the status tells of a pod that holds another claim for a volume than is wanted by now. So it stays until the handler
 * has said that the guest has let go of that claim, by naming no pod any more.
 */
export function holdsOtherClaim(vmi: VirtualMachineInstance, volumeName: string): boolean {
  const wanted = wantedClaim(vmi, volumeName);
  const told = vmi.status?.volumeStatus?.find(({ name }) => name === volumeName);
  const claimName = told?.persistentVolumeClaimInfo?.claimName ?? wanted;
  return wanted !== undefined && claimName !== wanted && (told?.hotplugVolume?.attachPodUID ?? '') !== '';
}

function wantedClaim(vmi: VirtualMachineInstance, wantedName: string | undefined): string | undefined {
  return pluggedClaims(vmi).find(({ volumeName }) => volumeName === wantedName)?.claimName;
}

function attachedClaimOf(pod: ObservedPod): string | undefined {
  const volume = pod.spec.volumes?.find(({ name }) => name === attachedVolumeOf(pod));
  return volume === undefined ? undefined : claimNameOf(volume);
}
