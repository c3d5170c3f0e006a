import type { MigrationStatus } from '@smalt/fleet-api';

import { parseBytes } from './format-bytes.ts';
import { parseGoDuration } from './go-duration.ts';
import { withoutOutlook } from './job-progress.ts';

/** What is further to the right has the last word: an end beats progress, and who saw it succeed knows best. */
const RANKS = ['failed', 'cancelled', 'completed'];

/**
 * What two hosts, or one host at two times, say of the same migration, as one. In whatever order and however often
 * statuses are joined, the outcome is the same.
 */
export function joinStatuses(left: MigrationStatus, right: MigrationStatus): MigrationStatus {
  const { started: _started, origin: _origin, destination: _destination, ...told } = hasLastWord(left, right);
  const origin = earliestText(left.origin, right.origin);
  const destination = earliestText(left.destination, right.destination);
  return {
    ...told,
    started: startOf(left, right),
    ...(origin !== undefined && { origin }),
    ...(destination !== undefined && { destination }),
  };
}

/**
 * Joins an account into a record as `joinStatuses` does, but lets an end keep the figures of the other if they are of more
 * progress: who tells the end last may have seen little of it. The figures of a success are those of its end.
 */
export function joinAccounts(record: MigrationStatus, told: MigrationStatus): MigrationStatus {
  const joined = joinStatuses(record, told);
  const last = hasLastWord(record, told);
  const other = last === record ? told : record;
  const isTold = last.type === 'completed' && sentOf(last) > 0;
  if (!isFinal(joined) || isTold || sentOf(other) <= sentOf(last)) return joined;
  const { started, origin, destination, type, operation, errMsg, timeElapsed, downtime } = joined;
  const { timeRemaining: _timeRemaining, errMsg: _errMsg, ...seen } = other;
  const figures = isOutlook(joined, other) ? withoutOutlook(seen) : seen;
  return {
    ...figures,
    started,
    ...(origin !== undefined && { origin }),
    ...(destination !== undefined && { destination }),
    ...(type !== undefined && { type }),
    ...(operation !== undefined && { operation }),
    ...(errMsg !== undefined && { errMsg }),
    ...(timeElapsed !== undefined && { timeElapsed }),
    ...(type === 'completed' && downtime !== undefined && { downtime }),
  };
}

/** Whether the migration is over. */
export function isFinal(status: Pick<MigrationStatus, 'type'>): boolean {
  return rankOf(status) >= 0;
}

/** When it began and, as far as is known, ended or was last heard of; in milliseconds, by the clock of the one who told it. */
export function intervalOf(status: MigrationStatus): { readonly startMs: number; readonly endMs: number } {
  const startMs = Date.parse(status.started);
  return { startMs, endMs: startMs + elapsedOf(status) };
}

/** Whether what an account tells was seen before the end of what succeeded. */
function isOutlook(joined: MigrationStatus, account: MigrationStatus): boolean {
  return joined.type === 'completed' && account.type !== 'completed';
}

/** The origin sees more of a migration than the destination, and sees it begin. */
function hasLastWord(left: MigrationStatus, right: MigrationStatus): MigrationStatus {
  const difference =
    rankOf(left) - rankOf(right) ||
    endingOf(left) - endingOf(right) ||
    sideOf(left) - sideOf(right) ||
    elapsedOf(left) - elapsedOf(right) ||
    (wordsOf(left) < wordsOf(right) ? -1 : 1);
  return difference >= 0 ? left : right;
}

function startOf(left: MigrationStatus, right: MigrationStatus): string {
  const seenByOrigin = [left, right].filter(({ origin }) => origin !== undefined);
  const [first = left, second = first] = seenByOrigin.length === 0 ? [left, right] : seenByOrigin;
  return Date.parse(second.started) < Date.parse(first.started) ? second.started : first.started;
}

function earliestText(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

function rankOf({ type }: Pick<MigrationStatus, 'type'>): number {
  return RANKS.indexOf(type ?? '');
}

function sideOf({ operation }: MigrationStatus): number {
  return operation === 'migration_out' ? 1 : 0;
}

/** Whether it has the figures of a success: before the end nobody knows how long the guest stands still. */
function endingOf({ type, downtime }: MigrationStatus): number {
  return type === 'completed' && downtime !== undefined ? 1 : 0;
}

/** How many bytes it had sent: they never get less. */
function sentOf({ dataProcessed }: MigrationStatus): number {
  return parseBytes(dataProcessed ?? '') ?? 0;
}

function elapsedOf({ timeElapsed }: MigrationStatus): number {
  return parseGoDuration(timeElapsed ?? '') ?? 0;
}

/**
 * Any order will do, as long as it does not depend on who comes first, nor on figures unless nothing else differs: those
 * of a record may be of another account than its end.
 */
function wordsOf({ started: _started, origin: _origin, destination: _destination, ...told }: MigrationStatus): string {
  const { type, errMsg, ...figures } = told;
  return JSON.stringify([type, errMsg, Object.entries(figures).toSorted(([left], [right]) => (left < right ? -1 : 1))]);
}
