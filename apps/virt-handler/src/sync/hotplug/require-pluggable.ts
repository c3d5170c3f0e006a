import type { PodSandbox } from '@smalt/pod-sandbox';

import { VirtHandlerError } from '../../virt-handler-error.ts';

/**
 * Throws when a volume cannot be plugged into a guest that runs: what hinders is known before libvirt is asked. The sandbox is
 * that of the launcher pod with what other pods hold for the guest.
 */
export function requirePluggable(launcher: PodSandbox, sandbox: PodSandbox, name: string): void {
  const volume = sandbox.volumes[name];
  const problem = sandbox.problems?.[name];
  if (volume === undefined && problem !== undefined) {
    throw new VirtHandlerError('volume-not-ready', `the volume ${name}: ${problem}`);
  }
  const isForeign = launcher.volumes[name] === undefined;
  if (volume?.kind !== 'block' || !isForeign || launcher.hasDeviceRules !== true) return;
  const message = `the volume ${name} is a block device of another pod, and with cgroups v2 a kubelet lets a guest that runs open only those of its own; use a claim with volumeMode: Filesystem, or name the claim without hotpluggable and restart the machine`;
  throw new VirtHandlerError('bad-volume', message);
}
