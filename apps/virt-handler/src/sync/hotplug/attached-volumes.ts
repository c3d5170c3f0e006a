import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { holdsOtherClaim } from '@smalt/vm-lifecycle';

import type { Sandboxes } from '../sandboxes.ts';
import { isHotplugged } from '../status/guest-volumes.ts';

export interface AttachedGuest {
  readonly instance: VirtualMachineInstance;
  /** That of the launcher pod. */
  readonly sandbox: PodSandbox;
}

/**
 * The sandbox of a launcher pod with the volumes that other pods of its namespace hold for its guest: the status names those
 * pods. What the launcher pod has itself stays its own, and what is held of a claim that is wanted no more does not count.
 */
export async function withAttachedVolumes(
  sandboxes: Pick<Sandboxes, 'find'>,
  { instance, sandbox }: AttachedGuest,
  signal: AbortSignal,
): Promise<PodSandbox> {
  const plugged = new Set((instance.spec.volumes ?? []).filter(isHotplugged).map(({ name }) => name));
  const attached: Record<string, PodSandbox['volumes'][string]> = {};
  for (const { name, hotplugVolume } of instance.status?.volumeStatus ?? []) {
    const podUid = hotplugVolume?.attachPodUID ?? '';
    if (podUid === '' || !plugged.has(name) || holdsOtherClaim(instance, name)) continue;
    const holder = await sandboxes.find(podUid, signal);
    const volume = holder?.namespace === sandbox.namespace ? holder.volumes[name] : undefined;
    if (volume !== undefined) attached[name] = volume;
  }
  return { ...sandbox, volumes: { ...attached, ...sandbox.volumes } };
}
