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
 * What is held and cannot be reached is among its problems.
 */
export async function withAttachedVolumes(
  sandboxes: Pick<Sandboxes, 'find'>,
  { instance, sandbox }: AttachedGuest,
  signal: AbortSignal,
): Promise<PodSandbox> {
  const plugged = new Set((instance.spec.volumes ?? []).filter(isHotplugged).map(({ name }) => name));
  const attached: Record<string, PodSandbox['volumes'][string]> = {};
  const problems: Record<string, string> = { ...sandbox.problems };
  for (const { name, hotplugVolume } of instance.status?.volumeStatus ?? []) {
    const podUid = hotplugVolume?.attachPodUID ?? '';
    if (podUid === '' || !plugged.has(name) || holdsOtherClaim(instance, name)) continue;
    const holder = await sandboxes.find(podUid, signal);
    if (holder?.namespace !== sandbox.namespace) continue;
    const { [name]: volume } = holder.volumes;
    const problem = holder.problems?.[name];
    if (volume !== undefined) attached[name] = volume;
    else if (problem !== undefined) problems[name] = `held by the pod ${holder.namespace}/${holder.name}: ${problem}`;
  }
  const volumes = { ...attached, ...sandbox.volumes };
  return { ...sandbox, volumes, ...(Object.keys(problems).length > 0 && { problems }) };
}
