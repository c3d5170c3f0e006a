import type { VirtualMachineInstanceSpec, VirtualMachineVolumeRequest, Volume } from '@smalt/vm-api';

/** The spec with a volume plugged in or taken out. A volume that is there already is not added again. */
export function applyVolumeRequest(
  spec: VirtualMachineInstanceSpec,
  { addVolumeOptions: added, removeVolumeOptions: removed }: VirtualMachineVolumeRequest,
): VirtualMachineInstanceSpec {
  const { volumes = [] } = spec;
  const { disks = [] } = spec.domain.devices;
  if (added !== undefined) {
    if (volumes.some(({ name }) => name === added.name)) return spec;
    const newDisks = added.disk === undefined ? disks : [...disks, { ...added.disk, name: added.name }];
    return withVolumes(spec, [...volumes, hotpluggedVolume(added)], newDisks);
  }
  if (removed === undefined) return spec;
  return withVolumes(
    spec,
    volumes.filter(({ name }) => name !== removed.name),
    disks.filter(({ name }) => name !== removed.name),
  );
}

/** The volume that an order to plug in means. */
export function hotpluggedVolume({
  name,
  volumeSource,
}: NonNullable<VirtualMachineVolumeRequest['addVolumeOptions']>): Volume {
  const { persistentVolumeClaim, dataVolume } = volumeSource;
  if (persistentVolumeClaim !== undefined) {
    return { name, persistentVolumeClaim: { ...persistentVolumeClaim, hotpluggable: true } };
  }
  return dataVolume === undefined ? { name } : { name, dataVolume: { ...dataVolume, hotpluggable: true } };
}

function withVolumes(
  spec: VirtualMachineInstanceSpec,
  volumes: readonly Volume[],
  disks: VirtualMachineInstanceSpec['domain']['devices']['disks'] = [],
): VirtualMachineInstanceSpec {
  return { ...spec, volumes, domain: { ...spec.domain, devices: { ...spec.domain.devices, disks } } };
}
