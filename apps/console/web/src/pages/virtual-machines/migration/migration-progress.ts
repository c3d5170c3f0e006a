import type { Migration } from '@smalt/fleet-api';
import type { InstanceUsage, MigrationUsage, VirtualMachineInstanceMigration } from '@smalt/vm-api';

import type { Machine } from '../machine.ts';

/** How a live migration stands, of all that is told about it. */
export interface MigrationProgress {
  readonly from: string;
  /** Empty until a host was found. */
  readonly to: string;
  readonly step: MigrationStep;
  /** Of what there was to send, as far as it is known. */
  readonly percent: number;
  readonly remainingBytes?: number;
  readonly totalBytes?: number;
  readonly bytesPerSecond?: number;
  readonly dirtyBytesPerSecond?: number;
  /** As it is expected while it moves. */
  readonly downtimeMs?: number;
  /** For how long the guest really stood still, as the hosts measured it: `23ms`. */
  readonly stoodStill?: string;
  readonly iteration?: number;
  readonly throttlePercent?: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly failure?: string;
}

/** The steps of a migration, in their order; the last two are ends. */
type MigrationStep = 'waiting' | 'placing' | 'preparing' | 'moving' | 'done' | 'failed';

export const STEP_WORDS: Readonly<Record<MigrationStep, string>> = {
  waiting: 'Waiting for its turn',
  placing: 'Looking for a host',
  preparing: 'Preparing the destination',
  moving: 'Sending memory',
  done: 'Moved',
  failed: 'Failed',
};

const STEP_OF_PHASE: Readonly<Record<string, MigrationStep>> = {
  '': 'waiting',
  Pending: 'waiting',
  WaitingForSync: 'waiting',
  Synchronizing: 'waiting',
  Scheduling: 'placing',
  Scheduled: 'preparing',
  PreparingTarget: 'preparing',
  TargetReady: 'preparing',
  Running: 'moving',
  Succeeded: 'done',
  Failed: 'failed',
};

/** The newest migration of a machine, or undefined when it has never moved. */
export function newestMigration(
  migrations: readonly VirtualMachineInstanceMigration[],
  { name }: Pick<Machine, 'name'>,
): VirtualMachineInstanceMigration | undefined {
  return migrations
    .filter(({ spec }) => spec.vmiName === name)
    .toSorted((one, other) => createdAt(other).localeCompare(createdAt(one)))[0];
}

/**
 * The migration to show: the newest there is, or one that only the instance still knows of. One that was cancelled is deleted, and
 * would else be gone before anybody has read what became of it.
 */
export function shownMigration(
  migrations: readonly VirtualMachineInstanceMigration[],
  machine: Machine,
): VirtualMachineInstanceMigration | undefined {
  const newest = newestMigration(migrations, machine);
  const state = machine.instance?.status?.migrationState;
  if (state?.failed !== true || state.migrationUid === undefined || !isGiven(state.endTimestamp)) return newest;
  const isThere = migrations.some(({ metadata }) => metadata.uid === state.migrationUid);
  // Who cancels one may begin the next before the end of the last is written down.
  const since = isGiven(state.startTimestamp) ? state.startTimestamp : state.endTimestamp;
  if (isThere || (newest !== undefined && createdAt(newest) >= since)) return newest;
  const { name, namespace } = machine;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: '', namespace, uid: state.migrationUid },
    spec: { vmiName: name },
    status: { phase: 'Failed', migrationState: state },
  };
}

/** Puts together what the migration, the instance and its usage say. The instance knows more as soon as it speaks of the same migration. */
export function migrationProgress(
  machine: Machine,
  migration: VirtualMachineInstanceMigration,
  usage: InstanceUsage | undefined,
): MigrationProgress {
  const ofInstance = machine.instance?.status?.migrationState;
  const isSame = ofInstance?.migrationUid !== undefined && ofInstance.migrationUid === migration.metadata.uid;
  const state = isSame ? ofInstance : migration.status?.migrationState;
  const step = stepOf(migration, state?.completed === true, state?.failed === true);
  const told = usage?.migration;
  const moving = step === 'moving' ? told : undefined;
  return {
    from: state?.sourceNode ?? machine.instance?.status?.nodeName ?? '',
    to: state?.targetNode ?? '',
    step,
    percent: step === 'done' ? 100 : sentPercent(moving),
    ...moving,
    ...(step === 'done' && told !== undefined ? lastWords(told) : {}),
    ...(isGiven(state?.startTimestamp) ? { startedAt: state.startTimestamp } : {}),
    ...(isGiven(state?.endTimestamp) ? { endedAt: state.endTimestamp } : {}),
    ...(step === 'failed' && isGiven(state?.failureReason) ? { failure: state.failureReason } : {}),
  };
}

export function isUnderWay({ step }: MigrationProgress): boolean {
  return step !== 'done' && step !== 'failed';
}

function stepOf(migration: VirtualMachineInstanceMigration, isCompleted: boolean, hasFailed: boolean): MigrationStep {
  if (hasFailed) return 'failed';
  if (isCompleted) return 'done';
  return STEP_OF_PHASE[migration.status?.phase ?? ''] ?? 'waiting';
}

function sentPercent(moving: InstanceUsage['migration']): number {
  if (moving === undefined || moving.totalBytes <= 0) return 0;
  // It is not there before the guest runs there.
  return Math.max(0, Math.min(99, 100 * (1 - moving.remainingBytes / moving.totalBytes)));
}

// What was still to be said when it was over.
function lastWords({ totalBytes, iteration, downtimeMs }: MigrationUsage): Partial<MigrationProgress> {
  return { totalBytes, iteration, ...(downtimeMs === undefined ? {} : { downtimeMs }) };
}

/** How long the guest really stood still in a migration, as the record of its hosts says; undefined while nobody has said. */
export function measuredDowntime(
  records: readonly Migration[],
  { from, to, step, startedAt }: Pick<MigrationProgress, 'from' | 'to' | 'step' | 'startedAt'>,
): string | undefined {
  if (step !== 'done' || startedAt === undefined) return undefined;
  // The hosts give it no id that both know: it is the one between these two that began about then.
  const isSame = ({ status }: Migration): boolean =>
    status?.type === 'completed' &&
    status.origin === from &&
    status.destination === to &&
    Math.abs(Date.parse(status.started) - Date.parse(startedAt)) < APART_MS;
  const downtime = records.find(isSame)?.status?.downtime;
  return downtime === '' ? undefined : downtime;
}

const APART_MS = 30_000;

/** The measurements that were made while this migration sent memory. */
export function usageOfMigration(
  history: readonly InstanceUsage[],
  startedAt: string | undefined,
): readonly InstanceUsage[] {
  // The clocks of hosts differ a little.
  const fromMs = startedAt === undefined ? Infinity : Date.parse(startedAt) - 2_000;
  return history.filter(({ at, migration }) => (migration?.totalBytes ?? 0) > 0 && Date.parse(at) >= fromMs);
}

function createdAt({ metadata }: VirtualMachineInstanceMigration): string {
  return metadata.creationTimestamp ?? '';
}

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}
