import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';

/** Writes the driver down, so that a new default of the cluster does not change an instance that already runs. */
export function defaultHypervisor(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  if (spec.hypervisor !== undefined && spec.hypervisor !== '') return spec;
  return { ...spec, hypervisor: settings.defaultHypervisor };
}
