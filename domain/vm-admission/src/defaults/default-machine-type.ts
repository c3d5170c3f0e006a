import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { architectureSettings, type ClusterSettings } from '../cluster-settings.ts';
import { changeDomain } from './change-domain.ts';

/** The usual machine of the architecture, where none is asked for. */
export function defaultMachineType(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  const { machine } = spec.domain;
  if (machine?.type !== undefined && machine.type !== '') return spec;
  const { machineType } = architectureSettings(settings, spec.architecture ?? '');
  return changeDomain(spec, { machine: { ...machine, type: machineType } });
}
