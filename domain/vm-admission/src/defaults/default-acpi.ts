import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDomain } from './change-domain.ts';

/** Machines of s390x have no ACPI. */
export function defaultAcpi(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { features } = spec.domain;
  if (spec.architecture !== 's390x' || features?.acpi?.enabled !== undefined) return spec;
  return changeDomain(spec, { features: { ...features, acpi: { enabled: false } } });
}
