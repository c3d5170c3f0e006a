import type { VolumeRequest } from '../volume-plugin.ts';

/** Whether guests of the hypervisor see directories where others see disks: containers have no drives. */
export function mountsVolumes({ hypervisor }: Pick<VolumeRequest, 'hypervisor'>): boolean {
  return hypervisor.domainType === 'lxc';
}

/** Whether the instance wants a volume as a directory. */
export function isSharedDirectory({ instance, volume }: Pick<VolumeRequest, 'instance' | 'volume'>): boolean {
  return instance.spec.domain.devices.filesystems?.some(({ name }) => name === volume.name) === true;
}
