import {
  MigrationConditionType,
  MigrationPhase as Phase,
  WellKnownName,
  type VirtualMachineInstanceMigrationStatus,
} from '@smalt/vm-api';

import { timeText, withCondition, withoutCondition, type Conditions } from '../conditions/conditions.ts';
import { isFinalMigration, waitMsFor } from './choose-migrations.ts';
import {
  abortReason,
  decideMigrationPhase,
  earlierUnderWay,
  isHandedOver,
  isLeftHandedOver,
  type MigrationStep,
} from './decide-migration-phase.ts';
import type { MigrationAction, MigrationDecision, MigrationEvent, MigrationFacts } from './migration-facts.ts';

/** Decides what happens next to a migration: its target pod, the hand-over, its end. */
export function decideMigration(facts: MigrationFacts): MigrationDecision {
  const { migration, mayStart } = facts;
  const wasFinal = isFinalMigration(migration);
  const step = decideMigrationPhase(facts);
  const phase = step.kind === 'failed' ? Phase.failed : step.phase;
  const actions = wasFinal ? finalActions(facts) : stepActions(facts, step);
  const event = wasFinal ? undefined : eventOf(facts, step, actions);
  const waits = phase === Phase.pending && !mayStart;
  return {
    actions,
    // What both were told is seen in a moment, and says more: the guest waits for every write.
    status:
      wasFinal || actions.some(({ kind }) => kind === 'hand-over') ? (migration.status ?? {}) : statusOf(facts, step),
    ...(event === undefined ? {} : { event }),
    ...(waits ? { requeueAfterMs: waitMsFor(migration) } : {}),
  };
}

function finalActions({ migration, vmi, targetPod }: MigrationFacts): readonly MigrationAction[] {
  const hasFinalizer = migration.metadata.finalizers?.includes(WellKnownName.migrationFinalizer) === true;
  const leftOver = migration.status?.phase === Phase.failed ? deletionOf(targetPod) : [];
  const abort = isLeftHandedOver(migration, vmi) ? abortOf(vmi) : [];
  return [...leftOver, ...abort, ...(hasFinalizer ? [{ kind: 'remove-finalizer' } as const] : [])];
}

function stepActions(facts: MigrationFacts, step: MigrationStep): readonly MigrationAction[] {
  const { vmi, targetPod, mayStart } = facts;
  if (step.kind === 'failed') return deletionOf(targetPod);
  if (abortReason(facts) !== undefined) return abortOf(vmi);
  switch (step.phase) {
    case Phase.pending:
      return targetPod === undefined && mayStart ? [{ kind: 'create-target-pod' }] : [];
    case Phase.scheduled:
      return handOver(facts);
    default:
      return [];
  }
}

/** Asks for the end of what the handlers go by, once. */
function abortOf(vmi: MigrationFacts['vmi']): readonly MigrationAction[] {
  const { abortRequested, migrationUid } = vmi?.status?.migrationState ?? {};
  return abortRequested === true ? [] : [{ kind: 'request-abort', migrationUid }];
}

function deletionOf(targetPod: MigrationFacts['targetPod']): readonly MigrationAction[] {
  if (targetPod === undefined || targetPod.metadata.deletionTimestamp !== undefined) return [];
  return [{ kind: 'delete-target-pod', name: targetPod.metadata.name, uid: targetPod.metadata.uid }];
}

function handOver({ migration, vmi, sourcePod, targetPod, chosen }: MigrationFacts): readonly MigrationAction[] {
  const targetNode = targetPod?.spec.nodeName;
  if (vmi === undefined || isHandedOver(migration, vmi) || targetPod === undefined || targetNode === undefined)
    return [];
  // Where its guest may be is known only as long as nothing is written over it.
  if (earlierUnderWay(migration, vmi) !== undefined) return abortOf(vmi);
  const { nodeName } = vmi.status ?? {};
  const state = {
    ...(migration.metadata.uid === undefined ? {} : { migrationUid: migration.metadata.uid }),
    ...(nodeName === undefined ? {} : { sourceNode: nodeName }),
    ...(sourcePod === undefined ? {} : { sourcePod: sourcePod.metadata.name }),
    targetNode,
    targetPod: targetPod.metadata.name,
    migrationConfiguration: chosen.settings,
    ...(chosen.policyName === undefined ? {} : { migrationPolicyName: chosen.policyName }),
  };
  return [{ kind: 'hand-over', state, labels: { [WellKnownName.migrationTargetNodeNameLabel]: targetNode } }];
}

function eventOf(
  facts: MigrationFacts,
  step: MigrationStep,
  actions: readonly MigrationAction[],
): MigrationEvent | undefined {
  if (step.kind === 'failed') return { type: 'Warning', reason: 'FailedMigration', message: step.message };
  const before = facts.migration.status?.phase ?? Phase.unset;
  if (step.phase === Phase.succeeded && before !== Phase.succeeded) {
    return { type: 'Normal', reason: 'SuccessfulMigration', message: 'Source node reported migration succeeded' };
  }
  if (actions.some(({ kind }) => kind === 'hand-over')) {
    const message = 'Migration target pod is ready for preparation by virt-handler.';
    return { type: 'Normal', reason: 'SuccessfulHandOver', message };
  }
  const message = abortReason(facts);
  if (message !== undefined && actions.some(({ kind }) => kind === 'request-abort')) {
    return { type: 'Normal', reason: 'SuccessfulAbortMigration', message };
  }
  return undefined;
}

function statusOf(
  { migration, vmi, problem, chosen, now }: MigrationFacts,
  step: MigrationStep,
): VirtualMachineInstanceMigrationStatus {
  const before = migration.status ?? {};
  const phase = step.kind === 'failed' ? Phase.failed : step.phase;
  const phases = step.kind === 'failed' ? [phase] : step.through;
  const state = vmi !== undefined && isHandedOver(migration, vmi) ? vmi.status?.migrationState : before.migrationState;
  const times = before.phaseTransitionTimestamps ?? [];
  const entered = phases.map((each) => ({ phase: each, phaseTransitionTimestamp: timeText(now) }));
  const failed =
    step.kind === 'failed'
      ? {
          ...state,
          failed: true,
          failureReason: state?.failureReason ?? step.message,
          endTimestamp: state?.endTimestamp ?? timeText(now),
        }
      : state;
  const shown = failed ?? (chosen.policyName === undefined ? undefined : { migrationPolicyName: chosen.policyName });
  return {
    ...before,
    phase,
    ...(phase === before.phase ? {} : { phaseTransitionTimestamps: [...times, ...entered] }),
    ...(shown === undefined ? {} : { migrationState: shown }),
    conditions: conditionsOf({ migration, problem }, phase, now),
  };
}

function conditionsOf(
  {
    migration,
    problem,
  }: { readonly migration: MigrationFacts['migration']; readonly problem: MigrationFacts['problem'] },
  phase: string,
  now: number,
): Conditions {
  const { abortRequested, rejectedByResourceQuota } = MigrationConditionType;
  let conditions: Conditions = migration.status?.conditions ?? [];
  if (migration.metadata.deletionTimestamp !== undefined) {
    conditions = withCondition(conditions, { type: abortRequested, status: 'True' }, now);
  }
  const isOverQuota = phase === Phase.pending && problem?.message.includes('exceeded quota') === true;
  if (!isOverQuota) return withoutCondition(conditions, rejectedByResourceQuota);
  return withCondition(conditions, { type: rejectedByResourceQuota, status: 'True', ...problem }, now);
}
