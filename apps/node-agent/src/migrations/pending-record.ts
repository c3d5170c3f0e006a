import type { MigrationResult, Observation } from '@smalt/migration-record';

/** What this host has to tell of a migration, and where it has told it so far. */
export interface PendingRecord {
  /** The name of the domain, for people. */
  readonly guest: string;
  readonly observation: Observation;
  /** The object that it was written to last. */
  readonly uid?: string | undefined;
  /** Which run of the guest it is of: another one after the guest, or the host, was started anew. */
  readonly run?: string | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PROGRESS_FIELD = /^[a-z][A-Za-z]*$/;
/** The last moment that the API has a way to write. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Whether this can be told to the API. What comes from a file may be anybody's, or half of what was written. */
export function isPendingRecord(value: unknown): value is PendingRecord {
  const { guest, observation, uid, run } = Object(value);
  const isTextIfAny = (text: unknown): boolean => text === undefined || isText(text);
  return isText(guest) && isTextIfAny(uid) && isTextIfAny(run) && isObservation(observation);
}

function isObservation(value: unknown): value is Observation {
  const { instance, role, host, startedAtMs, isEstimated, elapsedMs, progress, result, lacksFigures } = Object(value);
  return (
    isText(instance) &&
    UUID.test(instance) &&
    isText(host) &&
    (role === 'origin' || role === 'destination') &&
    typeof isEstimated === 'boolean' &&
    (lacksFigures === undefined || typeof lacksFigures === 'boolean') &&
    [startedAtMs, elapsedMs].every((time) => typeof time === 'number' && time >= 0 && time <= LAST_MS) &&
    isProgress(progress) &&
    (result === undefined || isResult(result))
  );
}

function isProgress(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = Object.entries(value);
  return fields.every(([name, field]) => PROGRESS_FIELD.test(name) && (isText(field) || Number.isFinite(field)));
}

function isResult(value: unknown): value is MigrationResult {
  const { kind, error } = Object(value);
  return ['completed', 'failed', 'cancelled'].includes(kind) && (error === undefined || typeof error === 'string');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
