import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDevices } from './change-domain.ts';

/** Adds a disk of the same name for each volume that the guest would not see otherwise. */
export function defaultVolumeDisks(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { disks = [], filesystems = [] } = spec.domain.devices;
  const seen = new Set([...disks, ...filesystems].map(({ name }) => name));
  const missing = (spec.volumes ?? []).filter(({ name }) => !seen.has(name)).map(({ name }) => ({ name }));
  return missing.length === 0 ? spec : changeDevices(spec, { disks: [...disks, ...missing] });
}
