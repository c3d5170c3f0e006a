import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ChosenSpecs } from '../instance-template.ts';
import { processorsOf } from '../topology.ts';
import { fieldsThat, isSaid } from './conflict.ts';

/** The fields about processors that a machine and its instance type both set; sizes belong to the type alone. */
export function cpuConflicts({ domain }: VirtualMachineInstanceSpec, { instancetype }: ChosenSpecs): readonly string[] {
  const { cpu = {}, resources } = domain;
  const type = instancetype?.cpu;
  if (type === undefined) return [];
  // A number of none and an empty name count as not set, for they always did.
  return fieldsThat([
    ['domain.resources.requests.cpu', resources?.requests?.['cpu'] !== undefined],
    ['domain.resources.limits.cpu', resources?.limits?.['cpu'] !== undefined],
    ['domain.cpu.sockets', (cpu.sockets ?? 0) !== 0],
    ['domain.cpu.cores', (cpu.cores ?? 0) !== 0],
    ['domain.cpu.threads', (cpu.threads ?? 0) !== 0],
    ['domain.cpu.model', isSaid(cpu.model) && type.model !== undefined],
    // The spelling is that of instance types, not that of instances.
    [
      'domain.cpu.dedicatedCPUPlacement',
      cpu.dedicatedCpuPlacement === true && type.dedicatedCPUPlacement !== undefined,
    ],
    [
      'domain.cpu.isolateEmulatorThread',
      cpu.isolateEmulatorThread === true && type.isolateEmulatorThread !== undefined,
    ],
    ['domain.cpu.numa', cpu.numa !== undefined && type.numa !== undefined],
    ['domain.cpu.realtime', cpu.realtime !== undefined && type.realtime !== undefined],
  ]);
}

/** The spec with the processors of the instance type. */
export function applyCpu(spec: VirtualMachineInstanceSpec, chosen: ChosenSpecs): VirtualMachineInstanceSpec {
  const { instancetype, preference } = chosen;
  if (instancetype === undefined) return spec;
  const { guest, model, dedicatedCPUPlacement, isolateEmulatorThread, numa, realtime, maxSockets } = instancetype.cpu;
  const cpu = {
    ...spec.domain.cpu,
    ...(model === undefined ? {} : { model }),
    ...(dedicatedCPUPlacement === undefined ? {} : { dedicatedCpuPlacement: dedicatedCPUPlacement }),
    ...(isolateEmulatorThread === undefined ? {} : { isolateEmulatorThread }),
    ...(numa === undefined ? {} : { numa }),
    ...(realtime === undefined ? {} : { realtime }),
    ...(maxSockets === undefined ? {} : { maxSockets }),
    ...processorsOf(guest, preference),
  };
  return { ...spec, domain: { ...spec.domain, cpu } };
}
