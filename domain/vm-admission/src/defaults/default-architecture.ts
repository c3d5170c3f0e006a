import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';

/** The architecture of the cluster, where none is asked for. */
export function defaultArchitecture(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  return isSet(spec.architecture) ? spec : { ...spec, architecture: settings.defaultArchitecture };
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
