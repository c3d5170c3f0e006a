import type { CPUFeature, FeatureHyperv, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { HYPERV_DEPENDENCIES, isHypervEnabled } from '../validation/firmware/hyperv-dependencies.ts';
import { changeDomain } from './change-domain.ts';

/** Switches on what the wanted Hyper-V features need. One that was switched off by hand stays off, for validation to refuse. */
export function defaultHypervDependencies(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { features, cpu } = spec.domain;
  if (features?.hyperv === undefined) return spec;
  let { hyperv } = features;
  for (const { name, needs } of HYPERV_DEPENDENCIES) {
    if (!isHypervEnabled(hyperv, name) || isHypervEnabled(hyperv, needs)) continue;
    // The rest would only be half of what was asked for.
    if (hyperv[needs]?.enabled === false) return changeDomain(spec, { features: { ...features, hyperv } });
    hyperv = { ...hyperv, [needs]: { enabled: true } };
  }
  const changed = changeDomain(spec, { features: { ...features, hyperv } });
  if (!needsNestedVirtualization(hyperv)) return changed;
  return changeDomain(changed, { cpu: { ...cpu, features: withNestedVirtualization(cpu?.features ?? []) } });
}

function needsNestedVirtualization(hyperv: FeatureHyperv): boolean {
  return hyperv.evmcs !== undefined && hyperv.evmcs.enabled !== false;
}

function withNestedVirtualization(features: readonly CPUFeature[]): readonly CPUFeature[] {
  const vmx = { name: 'vmx', policy: 'require' };
  if (!features.some(({ name }) => name === vmx.name)) return [...features, vmx];
  return features.map((feature) => (feature.name === vmx.name ? vmx : feature));
}
