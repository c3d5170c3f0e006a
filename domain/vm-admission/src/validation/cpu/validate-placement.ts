import { invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** The emulator gets a processor of its own only where the guest does. */
export function validateEmulatorThread({ path, spec }: SpecScope): readonly Cause[] {
  const { isolateEmulatorThread, dedicatedCpuPlacement } = spec.domain.cpu ?? {};
  if (isolateEmulatorThread !== true || dedicatedCpuPlacement === true) return [];
  const message = 'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement';
  return [invalid(`${path}.domain.cpu.isolateEmulatorThread`, message)];
}

/** The guest sees the cells of its host only with processors and pages of its own. */
export function validateNuma({ path, spec }: SpecScope): readonly Cause[] {
  const { cpu, memory } = spec.domain;
  if (cpu?.numa?.guestMappingPassthrough === undefined) return [];
  const field = `${path}.domain.cpu.numa.guestMappingPassthrough`;
  const needs = [
    ...(cpu.dedicatedCpuPlacement === true ? [] : [`${path}.domain.cpu.dedicatedCpuPlacement must be set to true`]),
    ...(memory?.hugepages === undefined ? [`${path}.domain.memory.hugepages must be requested`] : []),
  ];
  return needs.map((need) => invalid(field, `${need} when NUMA topology strategy is set in ${field}`));
}

/** Real-time guests have processors of their own and see the cells of their host. */
export function validateRealtime({ path, spec }: SpecScope): readonly Cause[] {
  const { cpu } = spec.domain;
  if (cpu?.realtime === undefined) return [];
  const realtime = `${path}.domain.cpu.realtime`;
  const placement = `${path}.domain.cpu.dedicatedCpuPlacement`;
  const numa = `${path}.domain.cpu.numa.guestMappingPassthrough`;
  return [
    ...(cpu.dedicatedCpuPlacement === true
      ? []
      : [required(placement, `${placement} must be set to true when ${realtime} is used`)]),
    ...(cpu.numa?.guestMappingPassthrough === undefined
      ? [required(numa, `${numa} must be defined when ${realtime} is used`)]
      : []),
  ];
}
