import type { Migration } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound } from '@smalt/kube';
import {
  labelValue,
  observedStatus,
  placeObservation,
  RecordAnnotation,
  RecordLabel,
  type Observation,
} from '@smalt/migration-record';

import { finishMove, isMoving, moveRecord, putAway } from './move-record.ts';
import { createRecord, joinRecord, keptFor, type RecordStore } from './record-store.ts';

export interface RecordTarget extends RecordStore {
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
  const { instance } = observation;
  if (isMoving(object)) {
    await finishMove(target, { instance, object }, signal);
    throw new PutAway(`${object.metadata.name} is no longer there`);
  }
  const known = uid === undefined ? 'never' : 'elsewhere';
  const written = isFound || uid === object.metadata.uid ? 'here' : known;
  switch (placeObservation(observation, object.status, { written, toleranceMs: target.toleranceMs })) {
    case 'join': {
      onAttempt(object.metadata.uid);
      return { kind: 'written', object: await join(target, observation, object, signal), isFirst: uid === undefined };
    }
    case 'begin-anew': {
      await putAway(target, { instance, object }, signal);
      throw new PutAway(`${object.metadata.name} was put away`);
    }
    case 'wait':
      return { kind: 'unclear' };
    case 'stale': {
      // The end is what counts in a record that was put away.
      if (observation.result === undefined) return { kind: 'unclear' };
      const kept = await keptFor(target, instance, observedStatus(observation), signal);
      onKept(kept.metadata.uid);
      if (isMoving(kept)) throw new PutAway(`${kept.metadata.name} is being moved`);
      return { kind: 'written', object: await join(target, observation, kept, signal), isFirst: uid === undefined };
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
  const written =
    records.find(({ metadata }) => metadata.uid === uid) ??
    records.find(({ metadata }) => uid !== undefined && metadata.annotations?.[RecordAnnotation.movedFrom] === uid);
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
  return await createRecord(target, { instance, name: instance, hosts: { [role]: host } }, signal);
}

/** Tells an observation in a record, and makes one of it and its twin. */
async function join(
  target: RecordTarget,
  observation: Observation,
  object: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const { instance } = observation;
  const joined = await joinRecord(target, { instance, object, status: observedStatus(observation) }, signal);
  return await joinTwin(target, observation, joined, signal);
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
  const { instance, role } = observation;
  const isAlone = own.status?.origin === undefined || own.status.destination === undefined;
  if (own.metadata.name === instance || !isAlone) return own;
  const records = await listRecords(target, instance, signal);
  const others = records.filter(({ metadata, status }) => metadata.name !== instance && status?.[role] === undefined);
  const twin = nearest(target, observation, others);
  if (twin === undefined) return own;
  const [left, right] = own.metadata.name < twin.metadata.name ? [own, twin] : [twin, own];
  return await moveRecord(target, { instance, object: right, name: left.metadata.name }, signal);
}
