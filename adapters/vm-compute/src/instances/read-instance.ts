import { GuestState, InstanceState, type ComputeInstance } from '@smalt/compute';
import {
  isFinalPhase,
  VirtualMachineInstanceConditionType as Condition,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { guestMemoryBytes, isMigrating, runStrategyOf, virtualProcessorCount } from '@smalt/vm-lifecycle';

import { ObjectName } from '../object-names.ts';
import { instanceIdOf } from './instance-key.ts';

const MIB = 1n << 20n;

/** What the API says of an instance; the machine that it belongs to tells whether it is meant to run. */
export function readInstance(vmi: VirtualMachineInstance, machine: VirtualMachine | undefined): ComputeInstance {
  const { metadata, spec, status } = vmi;
  const memoryMiB = Number((guestMemoryBytes(spec) ?? 0n) / MIB);
  const phase = status?.phase ?? Phase.unset;
  // One that has come to its end still says where it was.
  const nodeName = isFinalPhase(phase) || status?.nodeName === '' ? undefined : status?.nodeName;
  return {
    id: instanceIdOf(vmi),
    name: metadata.name,
    state: stateOf(vmi),
    stateText: stateTextOf(vmi),
    guestState: guestStateOf(vmi),
    isMeantToRun: isMeantToRun(vmi, machine),
    hostName: nodeName,
    hypervisorHostname: nodeName,
    memoryMiB,
    resources: { VCPU: virtualProcessorCount(spec), MEMORY_MB: memoryMiB },
    requiredTraits: Object.keys(spec.nodeSelector ?? {})
      .filter((label) => label.startsWith(ObjectName.traitPrefix))
      .map((label) => label.slice(ObjectName.traitPrefix.length)),
    zone: spec.nodeSelector?.[ObjectName.zoneLabel],
    obstacles: obstaclesOf(vmi),
    isLocked: false,
    metadata: metadata.labels ?? {},
    flavorProperties: {},
    fault: phase === Phase.failed ? (status?.reason ?? 'Failed') : undefined,
  };
}

/** A machine without an instance: it is off, and on no host. */
export function readStoppedMachine({ metadata, spec }: VirtualMachine): ComputeInstance {
  const template = spec.template.spec ?? { domain: { devices: {} } };
  const vmi = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata, spec: template } as const;
  const isWanted = isAlwaysStarted({ spec });
  return {
    ...readInstance(vmi, undefined),
    state: isWanted ? InstanceState.building : InstanceState.stopped,
    stateText: isWanted ? 'Starting' : 'Stopped',
    guestState: GuestState.off,
    isMeantToRun: isWanted,
  };
}

/** Whether a machine is started again whenever it fails, without anybody asking for it. */
export function isAlwaysStarted({ spec }: Pick<VirtualMachine, 'spec'>): boolean {
  const strategy = runStrategyOf(spec);
  return strategy === 'Always' || strategy === 'RerunOnFailure';
}

function stateOf(vmi: VirtualMachineInstance): InstanceState {
  if (vmi.metadata.deletionTimestamp !== undefined) return InstanceState.deleting;
  switch (vmi.status?.phase) {
    case Phase.running:
      if (isMigrating(vmi)) return InstanceState.moving;
      return hasCondition(vmi, Condition.paused) ? InstanceState.paused : InstanceState.running;
    case Phase.succeeded:
      return InstanceState.stopped;
    case Phase.failed:
      return InstanceState.failed;
    case undefined:
    case Phase.unset:
    case Phase.pending:
    case Phase.scheduling:
    case Phase.scheduled:
      return InstanceState.building;
    default:
      return InstanceState.busy;
  }
}

/** The phase alone does not tell what an instance that runs is doing. */
function stateTextOf(vmi: VirtualMachineInstance): string {
  const state = stateOf(vmi);
  if (state === InstanceState.moving) return 'Migrating';
  if (state === InstanceState.paused) return 'Paused';
  return vmi.status?.phase || 'Pending';
}

function guestStateOf(vmi: VirtualMachineInstance): GuestState {
  const phase = vmi.status?.phase;
  if (phase === Phase.running) return hasCondition(vmi, Condition.paused) ? GuestState.paused : GuestState.running;
  return isFinalPhase(phase) ? GuestState.off : GuestState.unknown;
}

function isMeantToRun({ metadata, status }: VirtualMachineInstance, machine: VirtualMachine | undefined): boolean {
  if (metadata.deletionTimestamp !== undefined) return machine !== undefined && isAlwaysStarted(machine);
  if (!isFinalPhase(status?.phase)) return machine === undefined || runStrategyOf(machine.spec) !== 'Halted';
  return machine !== undefined && isAlwaysStarted(machine);
}

function hasCondition({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

function obstaclesOf({ status }: VirtualMachineInstance): readonly string[] {
  const verdict = status?.conditions?.find(({ type }) => type === Condition.liveMigratable);
  return verdict?.status === 'False' ? [verdict.message ?? verdict.reason ?? 'it cannot be migrated'] : [];
}
