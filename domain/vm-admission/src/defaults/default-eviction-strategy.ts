import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';

/** What a drain does, as the cluster says, where the instance does not say. */
export function defaultEvictionStrategy(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  const { evictionStrategy } = settings;
  if (spec.evictionStrategy !== undefined || evictionStrategy === undefined) return spec;
  return { ...spec, evictionStrategy };
}
