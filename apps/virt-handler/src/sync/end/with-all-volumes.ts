import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';

/** The instance with the volumes that it had when it was written down: some may not have been taken back. */
export function withAllVolumes(
  instance: VirtualMachineInstance,
  recorded: VirtualMachineInstance | undefined,
): VirtualMachineInstance {
  const volumes = new Map<string, Volume>();
  const all = [...(recorded?.spec.volumes ?? []), ...(instance.spec.volumes ?? [])];
  for (const volume of all) volumes.set(volume.name, volume);
  return { ...instance, spec: { ...instance.spec, volumes: [...volumes.values()] } };
}
