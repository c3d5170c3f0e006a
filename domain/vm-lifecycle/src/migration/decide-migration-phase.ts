import {
  isFinalPhase,
  MigrationPhase as Phase,
  VirtualMachineInstanceConditionType,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineInstanceMigrationState,
} from '@smalt/vm-api';

import { pluggedClaims } from '../attachment/plugged-claims.ts';
import { findCondition, hasCondition } from '../conditions/conditions.ts';
import { podState, type ObservedPod } from '../instance/launcher-pod-state.ts';
import type { MigrationFacts } from './migration-facts.ts';

/** Where a migration goes from here; a failure says why. */
export type MigrationStep =
  /** `through` are all that it goes through, the new one last; none when it stays where it is. */
  | { readonly kind: 'phase'; readonly phase: string; readonly through: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

const UNSCHEDULABLE_TIMEOUT_MS = 5 * 60_000;
const PENDING_TIMEOUT_MS = 15 * 60_000;

const HANDED_OVER: readonly string[] = [Phase.preparingTarget, Phase.targetReady, Phase.running];

/** Decides how far a migration has come, from what its instance and its target pod show. */
export function decideMigrationPhase(facts: MigrationFacts): MigrationStep {
  const phase = facts.migration.status?.phase ?? Phase.unset;
  if (phase === Phase.succeeded || phase === Phase.failed) return { kind: 'phase', phase, through: [] };
  const failure = failureOf(facts, phase);
  if (failure !== undefined) return { kind: 'failed', message: failure };
  const through = phasesAfter(facts, phase);
  return { kind: 'phase', phase: through.at(-1) ?? phase, through };
}

/** What went on meanwhile is told by one write. */
function phasesAfter(facts: MigrationFacts, phase: string): readonly string[] {
  const next = nextPhase(facts, phase);
  return next === phase ? [] : [next, ...phasesAfter(facts, next)];
}

function failureOf(facts: MigrationFacts, phase: string): string | undefined {
  const { migration, vmi, targetPod, hasRival } = facts;
  if (vmi === undefined) return 'Migration failed because vmi does not exist.';
  if (isFinalPhase(vmi.status?.phase)) return 'Migration failed vmi shutdown during migration.';
  const isOurs = isHandedOver(migration, vmi);
  if (migration.metadata.deletionTimestamp !== undefined && !isOurs) return 'Migration failed due to being canceled';
  if (isOurs && vmi.status?.migrationState?.failed === true) return sourceFailure(vmi);
  // From here on only the handler of the source knows whether the guest has gone over: it has the last word.
  if (isOurs) return undefined;
  if (phase === Phase.unset && hasRival) {
    return 'VMI is not eligible for migration because another migration job is in progress.';
  }
  if (HANDED_OVER.includes(phase)) return lostState(vmi);
  const objection = pluggedObjection(vmi);
  if (objection !== undefined) return objection;
  if (phase === Phase.unset || phase === Phase.pending) return ineligibility(vmi);
  if (targetPod === undefined) return 'Migration target pod was removed during active migration.';
  if (podState(targetPod) === 'ended') return 'Migration failed because target pod shutdown during migration';
  return phase === Phase.scheduling ? pendingTooLong(facts) : heldTooLong(facts);
}

/** Whether both handlers were told of this very migration. */
export function isHandedOver(
  { metadata }: VirtualMachineInstanceMigration,
  { status }: VirtualMachineInstance,
): boolean {
  return metadata.uid !== undefined && status?.migrationState?.migrationUid === metadata.uid;
}

/**
 * Whether the handlers still go by a migration that has failed. It was handed over where that was not seen, and until its source gives
 * it up, its guest is let be as if it were on its way.
 */
export function isLeftHandedOver(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance | undefined,
): boolean {
  if (vmi === undefined || migration.status?.phase !== Phase.failed || !isHandedOver(migration, vmi)) return false;
  const { completed, abortRequested } = vmi.status?.migrationState ?? {};
  return completed !== true && abortRequested !== true;
}

/** The state of an earlier migration that the handlers of an instance still go by. */
export function earlierUnderWay(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
): VirtualMachineInstanceMigrationState | undefined {
  const state = vmi.status?.migrationState;
  const isOver = state?.migrationUid === undefined || state.completed === true;
  return isOver || isHandedOver(migration, vmi) ? undefined : state;
}

/** Why a migration that was handed over is not worth going on with: then its source is asked to give it up. */
export function abortReason({ migration, vmi, targetPod, seen }: MigrationFacts): string | undefined {
  const state = vmi?.status?.migrationState;
  if (vmi === undefined || !isHandedOver(migration, vmi) || state?.completed === true) return undefined;
  if (migration.metadata.deletionTimestamp !== undefined) return 'Migration is ready to be canceled by virt-handler.';
  if (targetPod === undefined) return 'Migration target pod was removed during active migration.';
  if (podState(targetPod) === 'ended') return 'Migration target pod shutdown during active migration.';
  const { phase } = migration.status ?? {};
  const isPreparing = phase === Phase.preparingTarget || phase === Phase.targetReady;
  if (!isPreparing || seen.phaseMs < PENDING_TIMEOUT_MS) return undefined;
  return 'Migration target did not get ready within 15 minutes.';
}

function sourceFailure({ status }: VirtualMachineInstance): string {
  const reason = status?.migrationState?.failureReason;
  return reason === undefined
    ? 'source node reported migration failed'
    : `source node reported migration failed: ${reason}`;
}

function lostState({ status }: VirtualMachineInstance): string {
  return status?.migrationState === undefined
    ? `VMI's migration state was cleared during the active migration.`
    : `VMI's migration state was taken over by another migration job during active migration.`;
}

function ineligibility({ status }: VirtualMachineInstance): string | undefined {
  const migratable = findCondition(status?.conditions, VirtualMachineInstanceConditionType.liveMigratable);
  if (migratable?.status !== 'False') return undefined;
  return `Cannot migrate VMI, Reason: ${migratable.reason ?? ''}, Message: ${migratable.message ?? ''}`;
}

/** The handler says so too, but only after it has seen the volume: until the guest is handed over it counts at once. */
function pluggedObjection(vmi: VirtualMachineInstance): string | undefined {
  const [plugged] = pluggedClaims(vmi);
  if (plugged === undefined) return undefined;
  return `Cannot migrate VMI while the volume ${plugged.volumeName} is plugged in; take it out first`;
}

function pendingTooLong({ targetPod, seen }: MigrationFacts): string | undefined {
  if (targetPod === undefined || podState(targetPod) === 'ready') return undefined;
  const { targetPodMs: waitedMs } = seen;
  const unplaced = findCondition(targetPod.status?.conditions, 'PodScheduled');
  if (unplaced?.status === 'False' && waitedMs >= UNSCHEDULABLE_TIMEOUT_MS) {
    return `Migration target pod found no node within 5 minutes: ${unplaced.message ?? 'it is unschedulable'}`;
  }
  return waitedMs >= PENDING_TIMEOUT_MS ? 'Migration target pod did not get ready within 15 minutes' : undefined;
}

/** Its source was asked to give the earlier one up, but may not know where the guest is, or may be away for good. */
function heldTooLong({ migration, vmi, seen }: MigrationFacts): string | undefined {
  const earlier = vmi === undefined ? undefined : earlierUnderWay(migration, vmi);
  if (earlier === undefined || seen.phaseMs < PENDING_TIMEOUT_MS) return undefined;
  const message = 'Migration failed because an earlier one of the VMI is not over after 15 minutes';
  return isSet(earlier.failureReason) ? `${message}: ${earlier.failureReason}` : message;
}

function nextPhase({ migration, vmi, targetPod }: MigrationFacts, phase: string): string {
  const state = vmi !== undefined && isHandedOver(migration, vmi) ? vmi.status?.migrationState : undefined;
  switch (phase) {
    case Phase.unset:
      return Phase.pending;
    case Phase.pending:
      return targetPod === undefined ? phase : Phase.scheduling;
    case Phase.scheduling:
      // What was handed over was ready, whatever became of it.
      return state !== undefined || isReady(targetPod) ? Phase.scheduled : phase;
    case Phase.scheduled:
      return state === undefined ? phase : Phase.preparingTarget;
    case Phase.preparingTarget:
      return isSet(state?.targetNodeAddress) ? Phase.targetReady : phase;
    case Phase.targetReady:
      return isSet(state?.startTimestamp) ? Phase.running : phase;
    case Phase.running:
      return state?.completed === true && !isStillChanging(vmi) ? Phase.succeeded : phase;
    default:
      return phase;
  }
}

function isReady(pod: ObservedPod | undefined): boolean {
  return pod !== undefined && podState(pod) === 'ready';
}

/** A migration that carries a live update ends with the update. */
function isStillChanging(vmi: VirtualMachineInstance | undefined): boolean {
  const { hotVcpuChange, hotMemoryChange, migrationRequired } = VirtualMachineInstanceConditionType;
  return [hotVcpuChange, hotMemoryChange, migrationRequired].some((type) =>
    hasCondition(vmi?.status?.conditions, type, 'True'),
  );
}

function isSet(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}
