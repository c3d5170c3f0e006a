import type { Migration, MigrationStatus } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound, type ResourceClient } from '@smalt/kube';
import {
  joinStatuses,
  keptRecordNames,
  observedStatus,
  placeObservation,
  recordLabels,
  RecordLabel,
  labelValue,
  type Observation,
} from '@smalt/migration-record';

export interface RecordTarget {
  readonly migrations: ResourceClient<Migration>;
  readonly namespace: string;
  readonly toleranceMs: number;
}

/** What was written before, so that nothing has to be read again. */
export interface WrittenRecord {
  readonly uid?: string | undefined;
  /** The object as the API had it last. */
  readonly object?: Migration | undefined;
  /** Told which object is about to be written: an answer that gets lost leaves no doubt where it was written to. */
  readonly onAttempt: (uid: string | undefined) => void;
}

/** Nothing was written when it is not clear yet what the observation belongs to. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly object: Migration; readonly isFirst: boolean }
  | { readonly kind: 'unclear' };

/** How often two hosts may get into each other's way before it is tried later. */
const ATTEMPTS = 8;

/**
 * Tells the API what this host has observed: in the record that bears the guest's id if it is of the same migration,
 * in a new one, for which the old is put away, or in one that was put away before.
 */
export async function writeRecord(
  target: RecordTarget,
  observation: Observation,
  written: WrittenRecord,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  let { object, uid } = written;
  const onKept = (kept: string | undefined): void => {
    uid = kept;
    written.onAttempt(kept);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const found = object === undefined ? await findLate(target, observation, uid, signal) : undefined;
      object ??= found ?? (await readOrCreate(target, observation, signal));
      return await place(
        target,
        observation,
        { ...written, uid, object, isFound: found !== undefined, onKept },
        signal,
      );
    } catch (error) {
      if (attempt >= ATTEMPTS || !isBehind(error)) throw error;
      object = undefined;
    }
  }
}

/** Whether somebody else was faster, so that it has to be looked at anew. */
function isBehind(error: unknown): boolean {
  return error instanceof PutAway || isConflict(error) || isNotFound(error) || isAlreadyExists(error);
}

class PutAway extends Error {}

interface Placing extends WrittenRecord {
  readonly object: Migration;
  /** Whether it is known to be of the same migration. */
  readonly isFound: boolean;
  /** Told of a record that is kept of this migration: should it be joined with another now, it is found there. */
  readonly onKept: (uid: string | undefined) => void;
}

async function place(
  target: RecordTarget,
  observation: Observation,
  { uid, object, isFound, onAttempt, onKept }: Placing,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { toleranceMs, namespace, migrations } = target;
  const known = uid === undefined ? 'never' : 'elsewhere';
  const context = { written: isFound || uid === object.metadata.uid ? 'here' : known, toleranceMs } as const;
  switch (placeObservation(observation, object.status, context)) {
    case 'join': {
      onAttempt(object.metadata.uid);
      const joined = await join(target, observation, object, signal);
      const single = await joinTwin(target, observation, joined, signal);
      return { kind: 'written', object: single, isFirst: uid === undefined };
    }
    case 'begin-anew': {
      const kept = await putAway(target, observation.instance, object, signal);
      const { uid: old, resourceVersion } = object.metadata;
      try {
        await migrations.delete(object.metadata.name, { namespace, uid: old, resourceVersion, signal });
      } catch (error) {
        if (kept !== undefined && isBehind(error)) await takeBack(target, object, kept, signal);
        throw error;
      }
      throw new PutAway(`${object.metadata.name} was put away`);
    }
    case 'wait':
      return { kind: 'unclear' };
    case 'stale': {
      // The end is what counts in a record that was put away.
      if (observation.result === undefined) return { kind: 'unclear' };
      const kept = await keptFor(target, observation.instance, observedStatus(observation), signal);
      onKept(kept.metadata.uid);
      const joined = await join(target, observation, kept, signal);
      const single = await joinTwin(target, observation, joined, signal);
      return { kind: 'written', object: single, isFirst: uid === undefined };
    }
  }
}

/**
 * The record of a migration that is over, or whose record is no longer where it was, among all of the guest: the other
 * host may have told of it before, and of later ones since, whatever bears the guest's id now.
 */
async function findLate(
  target: RecordTarget,
  observation: Observation,
  uid: string | undefined,
  signal: AbortSignal,
): Promise<Migration | undefined> {
  if (observation.result === undefined && uid === undefined) return undefined;
  const records = await listRecords(target, observation.instance, signal);
  const written = records.find(({ metadata }) => metadata.uid === uid);
  // What was written before may have been put away by now, with times of the other host.
  const isEstimated = observation.isEstimated || uid !== undefined;
  return written ?? nearest(target, { ...observation, isEstimated }, records);
}

/** Of the records that may be of this migration, the one that began at nearly the same time: a retry follows at once. */
function nearest(
  { toleranceMs }: RecordTarget,
  observation: Observation,
  records: readonly Migration[],
): Migration | undefined {
  const distanceOf = ({ status }: Migration): number =>
    Math.abs(Date.parse(status?.started ?? '') - observation.startedAtMs);
  const context = { written: 'never', toleranceMs } as const;
  const [first] = records
    .filter(({ status }) => status !== undefined && placeObservation(observation, status, context) === 'join')
    .toSorted((one, other) => distanceOf(one) - distanceOf(other));
  return first;
}

async function listRecords(
  { migrations, namespace }: RecordTarget,
  instance: string,
  signal: AbortSignal,
): Promise<readonly Migration[]> {
  const requirements = [{ key: RecordLabel.instance, operator: 'in' as const, values: [labelValue(instance)] }];
  const { items } = await migrations.list({ namespace, labelSelector: { requirements }, signal });
  return items;
}

async function readOrCreate(
  target: RecordTarget,
  { instance, role, host }: Observation,
  signal: AbortSignal,
): Promise<Migration> {
  const { migrations, namespace } = target;
  try {
    return await migrations.get(instance, { namespace, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return await create(target, { instance, name: instance, hosts: { [role]: host } }, signal);
}

interface NewRecord {
  readonly instance: string;
  readonly name: string;
  readonly hosts: Pick<MigrationStatus, 'origin' | 'destination'>;
}

async function create(
  target: RecordTarget,
  { instance, name, hosts }: NewRecord,
  signal: AbortSignal,
): Promise<Migration> {
  const { migrations, namespace } = target;
  const metadata = { name, namespace, labels: recordLabels(instance, hosts) };
  return await migrations.create({ metadata, spec: {} }, { namespace, signal });
}

async function join(
  target: RecordTarget,
  observation: Observation,
  object: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const observed = observedStatus(observation);
  return await joinInto(target, { instance: observation.instance, object, status: observed }, signal);
}

interface RecordChange {
  readonly instance: string;
  readonly object: Migration;
  readonly status: MigrationStatus;
}

async function joinInto(target: RecordTarget, change: RecordChange, signal: AbortSignal): Promise<Migration> {
  const { object, status } = change;
  const joined = object.status === undefined ? status : joinStatuses(object.status, status);
  return await writeStatus(target, { ...change, status: joined }, signal);
}

/** Writes what is new in a status, under the lock of the object's version, and the labels that follow from it. */
async function writeStatus(
  { migrations, namespace }: RecordTarget,
  { instance, object, status }: RecordChange,
  signal: AbortSignal,
): Promise<Migration> {
  const isNew = object.status === undefined || print(object.status) !== print(status);
  const current = isNew ? await migrations.replaceStatus({ ...object, status }, { signal }) : object;
  const labels = recordLabels(instance, status);
  const isLabelled = Object.entries(labels).every(([key, value]) => current.metadata.labels?.[key] === value);
  if (isLabelled) return current;
  return await migrations.patch(current.metadata.name, 'merge', { metadata: { labels } }, { namespace, signal });
}

function print(status: MigrationStatus): string {
  return JSON.stringify(Object.entries(status).toSorted(([one], [two]) => (one < two ? -1 : 1)));
}

/** Keeps a record under the name of the time at which its migration began. The other host may do it at the same time. */
async function putAway(
  target: RecordTarget,
  instance: string,
  object: Migration,
  signal: AbortSignal,
): Promise<Migration | undefined> {
  const { status } = object;
  if (status === undefined) return undefined;
  const kept = await keptFor(target, instance, status, signal);
  return await joinInto(target, { instance, object: kept, status }, signal);
}

/**
 * Deletes what is kept of a record that the origin has joined meanwhile: it will be put away under another name, as the
 * origin knows better when it began, and this one would stay as one more migration.
 */
async function takeBack(target: RecordTarget, object: Migration, kept: Migration, signal: AbortSignal): Promise<void> {
  const { migrations, namespace } = target;
  const { name, uid } = object.metadata;
  const now = await migrations.get(name, { namespace, signal });
  if (now.metadata.uid !== uid || now.status?.started === object.status?.started) return;
  const { uid: keptUid, resourceVersion } = kept.metadata;
  await migrations.delete(kept.metadata.name, { namespace, uid: keptUid, resourceVersion, signal });
}

/** The record that is kept of the migration of this status; made if there is none. */
async function keptFor(
  target: RecordTarget,
  instance: string,
  status: MigrationStatus,
  signal: AbortSignal,
): Promise<Migration> {
  const { migrations, namespace } = target;
  const [name, preciseName] = keptRecordNames(instance, status);
  const make = async (made: string): Promise<Migration> =>
    await create(target, { instance, name: made, hosts: status }, signal).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      return await migrations.get(made, { namespace, signal });
    });
  const kept = await make(name);
  const isOther = kept.status !== undefined && kept.status.started !== status.started;
  return isOther ? await make(preciseName) : kept;
}

/**
 * Makes one of two records when the other host has kept one of the same migration at the same moment. Both hosts may
 * do it: they keep the same one, and to join twice changes nothing.
 */
async function joinTwin(
  target: RecordTarget,
  observation: Observation,
  own: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const { migrations, namespace } = target;
  const { instance, role } = observation;
  const isAlone = own.status?.origin === undefined || own.status.destination === undefined;
  if (own.metadata.name === instance || !isAlone) return own;
  const records = await listRecords(target, instance, signal);
  const twin = nearest(
    target,
    observation,
    records.filter(({ status }) => status?.[role] === undefined),
  );
  if (twin?.status === undefined || own.status === undefined) return own;
  const [left, right] = own.metadata.name < twin.metadata.name ? [own, twin] : [twin, own];
  const status = joinStatuses(own.status, twin.status);
  const joined = await joinInto(target, { instance, object: left, status }, signal);
  const { uid, resourceVersion } = right.metadata;
  await migrations.delete(right.metadata.name, { namespace, uid, resourceVersion, signal });
  return joined;
}
