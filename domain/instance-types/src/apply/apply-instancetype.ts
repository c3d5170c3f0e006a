import type { Cause } from '@smalt/vm-admission';
import type { VirtualMachineInstanceSpec, VirtualMachineInstancetypeSpec } from '@smalt/vm-api';

import type { ChosenSpecs, InstanceTemplate } from '../instance-template.ts';
import { applyCpu, cpuConflicts } from './apply-cpu.ts';
import { applyMemory, memoryConflicts } from './apply-memory.ts';
import { conflictCause, fieldsThat, isSaid } from './conflict.ts';

/** Every field that a machine and its instance type both set. `path` is where the spec of the template is. */
export function instancetypeConflicts(template: InstanceTemplate, chosen: ChosenSpecs, path: string): readonly Cause[] {
  const { instancetype } = chosen;
  if (instancetype === undefined) return [];
  const { spec } = template;
  const fields = [
    ...placementConflicts(spec, instancetype),
    ...cpuConflicts(spec, chosen),
    ...memoryConflicts(spec, chosen),
    ...deviceConflicts(spec, instancetype),
  ].map((field) => `${path}.${field}`);
  return [...fields, ...annotationConflicts(template, instancetype)].map(conflictCause);
}

function placementConflicts(
  { nodeSelector, schedulerName }: VirtualMachineInstanceSpec,
  type: VirtualMachineInstancetypeSpec,
): readonly string[] {
  return fieldsThat([
    ['nodeSelector', nodeSelector !== undefined && type.nodeSelector !== undefined],
    ['schedulerName', isSaid(schedulerName) && isSaid(type.schedulerName)],
  ]);
}

function deviceConflicts(
  { domain }: VirtualMachineInstanceSpec,
  type: VirtualMachineInstancetypeSpec,
): readonly string[] {
  const { gpus = [], hostDevices = [] } = domain.devices;
  const threads = type.ioThreads?.supplementalPoolThreadCount;
  return fieldsThat([
    [
      'domain.ioThreads.supplementalPoolThreadCount',
      threads !== undefined && domain.ioThreads?.supplementalPoolThreadCount !== undefined,
    ],
    ['domain.ioThreadsPolicy', domain.ioThreadsPolicy !== undefined && type.ioThreadsPolicy !== undefined],
    ['domain.launchSecurity', domain.launchSecurity !== undefined && type.launchSecurity !== undefined],
    ['domain.devices.gpus', gpus.length > 0 && (type.gpus ?? []).length > 0],
    ['domain.devices.hostDevices', hostDevices.length > 0 && (type.hostDevices ?? []).length > 0],
  ]);
}

function annotationConflicts(
  { metadata }: InstanceTemplate,
  { annotations = {} }: VirtualMachineInstancetypeSpec,
): readonly string[] {
  const own = metadata?.annotations ?? {};
  return Object.entries(annotations).flatMap(([key, value]) =>
    Object.hasOwn(own, key) && own[key] !== value ? [`annotations.${key}`] : [],
  );
}

/** The template with all that the instance type says. Where both say something there is a conflict, and no template. */
export function applyInstancetype(template: InstanceTemplate, chosen: ChosenSpecs): InstanceTemplate {
  const { instancetype } = chosen;
  if (instancetype === undefined) return template;
  const spec = applyRest(applyMemory(applyCpu(template.spec, chosen), chosen), instancetype);
  const { annotations } = instancetype;
  if (annotations === undefined) return { ...template, spec };
  const metadata = { ...template.metadata, annotations: { ...annotations, ...template.metadata?.annotations } };
  return { ...template, spec, metadata };
}

function applyRest(spec: VirtualMachineInstanceSpec, type: VirtualMachineInstancetypeSpec): VirtualMachineInstanceSpec {
  const { nodeSelector, schedulerName, ioThreads, ioThreadsPolicy, launchSecurity, gpus = [], hostDevices = [] } = type;
  const threads = ioThreads?.supplementalPoolThreadCount;
  return {
    ...spec,
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(isSaid(schedulerName) ? { schedulerName } : {}),
    domain: {
      ...spec.domain,
      ...(threads === undefined
        ? {}
        : { ioThreads: { ...spec.domain.ioThreads, supplementalPoolThreadCount: threads } }),
      ...(ioThreadsPolicy === undefined ? {} : { ioThreadsPolicy }),
      ...(launchSecurity === undefined ? {} : { launchSecurity }),
      devices: {
        ...spec.domain.devices,
        ...(gpus.length === 0 ? {} : { gpus }),
        ...(hostDevices.length === 0 ? {} : { hostDevices }),
      },
    },
  };
}
