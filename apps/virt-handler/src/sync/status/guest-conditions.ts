import { DomainPausedReason, DomainState } from '@smalt/libvirt';
import {
  VirtualMachineInstanceConditionReason as Reason,
  VirtualMachineInstanceConditionType as Type,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import {
  judgeLiveMigratable,
  withCondition,
  withoutCondition,
  type Conditions,
  type ConditionValue,
  type Migratability,
  type MigratabilityFacts,
} from '@smalt/vm-lifecycle';

import type { DomainRunState } from '../domains/known-domain.ts';
import type { ObservedGuest } from './observed-guest.ts';

/** The conditions of an instance whose guest has a process; those of others stay as they are. */
export function guestConditions(instance: VirtualMachineInstance, observed: ObservedGuest, now: number): Conditions {
  const paused = pausedCondition(observed.domain.state);
  const values: readonly (ConditionValue | { readonly type: string; readonly status: undefined })[] = [
    ...readyConditions(instance, paused),
    migratability(instance, observed).condition,
    storageMigratability(instance, observed),
    paused ?? { type: Type.paused, status: undefined },
    observed.domain.report.isAgentConnected
      ? { type: Type.agentConnected, status: 'True' }
      : { type: Type.agentConnected, status: undefined },
    synchronized(observed),
  ];
  let conditions: Conditions = instance.status?.conditions ?? [];
  for (const value of values) {
    conditions =
      value.status === undefined ? withoutCondition(conditions, value.type) : withCondition(conditions, value, now);
  }
  return conditions;
}

/** What failed before has worked now, unless something is still wrong. */
function synchronized({
  problem,
}: ObservedGuest): ConditionValue | { readonly type: string; readonly status: undefined } {
  if (problem === undefined) return { type: Type.synchronized, status: undefined };
  return { type: Type.synchronized, status: 'False', reason: Reason.Synchronized.failed, message: problem };
}

/** Whether and how the guest can be moved while it runs. */
export function migratability(instance: VirtualMachineInstance, observed: ObservedGuest): Migratability {
  return judgeLiveMigratable(migratabilityFacts(instance, observed));
}

/** The guest runs in a pod that is ready, so it is ready itself; what comes later the controller says, who sees the pod. */
function readyConditions(
  instance: VirtualMachineInstance,
  paused: ConditionValue | undefined,
): readonly ConditionValue[] {
  const becomesReady = instance.status?.phase !== Phase.running && paused === undefined;
  return becomesReady ? [{ type: Type.ready, status: 'True' }] : [];
}

/** Whether all its disks could be moved along with it; what else is against it counts here too. */
function storageMigratability(instance: VirtualMachineInstance, observed: ObservedGuest): ConditionValue {
  const facts = migratabilityFacts(instance, observed);
  const names = (instance.spec.volumes ?? []).map(({ name }) => name);
  const sharedClaims = new Map(names.map((name) => [name, true]));
  return { ...judgeLiveMigratable({ ...facts, sharedClaims }).condition, type: Type.storageLiveMigratable };
}

function migratabilityFacts(instance: VirtualMachineInstance, observed: ObservedGuest): MigratabilityFacts {
  const { hypervisor, capabilities } = observed;
  const incapability = hypervisor.incapabilities.find(({ field }) => field === 'evictionStrategy');
  const claims = (instance.status?.volumeStatus ?? []).flatMap(({ name, persistentVolumeClaimInfo: info }) =>
    info === undefined ? [] : [[name, (info.accessModes ?? []).includes('ReadWriteMany')] as const],
  );
  return {
    vmi: instance,
    sharedClaims: new Map(claims),
    ...(incapability === undefined
      ? {}
      : { driverObjection: `the hypervisor ${hypervisor.name} ${incapability.reason}` }),
    hasHostModel: capabilities?.processorModel !== undefined,
  };
}

/** Says why a guest stands still; a guest that is about to move is not paused for those who look at it. */
function pausedCondition({ state, reason }: DomainRunState): ConditionValue | undefined {
  if (state !== DomainState.paused) return undefined;
  switch (reason) {
    case DomainPausedReason.migration:
    case DomainPausedReason.startingUp:
    case DomainPausedReason.postcopy:
    case DomainPausedReason.snapshot:
    case DomainPausedReason.shuttingDown:
      return undefined;
    case DomainPausedReason.ioerror:
      return standsStill(Reason.Paused.ioError, 'VMI was paused, IO error; make room on its storage, then unpause it');
    case DomainPausedReason.postcopyFailed:
      return standsStill(Reason.Paused.byMigrationMonitor, 'VMI was paused, its migration failed half-way');
    default:
      return standsStill(Reason.Paused.byUser, 'VMI was paused by user');
  }
}

function standsStill(reason: string, message: string): ConditionValue {
  return { type: Type.paused, status: 'True', reason, message };
}
