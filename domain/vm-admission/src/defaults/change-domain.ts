import type { Devices, DomainSpec, VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** The spec with some parts of its domain replaced. */
export function changeDomain(spec: VirtualMachineInstanceSpec, parts: Partial<DomainSpec>): VirtualMachineInstanceSpec {
  return { ...spec, domain: { ...spec.domain, ...parts } };
}

/** The spec with some of its devices replaced. */
export function changeDevices(spec: VirtualMachineInstanceSpec, parts: Partial<Devices>): VirtualMachineInstanceSpec {
  return changeDomain(spec, { devices: { ...spec.domain.devices, ...parts } });
}
