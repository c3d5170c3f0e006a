import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { changeDomain } from './change-domain.ts';

const HOST_MODEL = 'host-model';

/** The processor model of the cluster, else one like the host's. */
export function defaultCpuModel(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  const { cpu } = spec.domain;
  if (cpu?.model !== undefined && cpu.model !== '') return spec;
  return changeDomain(spec, { cpu: { ...cpu, model: settings.cpuModel ?? HOST_MODEL } });
}
