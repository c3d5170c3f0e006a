import type { Migration } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound } from '@smalt/kube';
import {
  isOfHost,
  labelValue,
  observedStatus,
  placeObservation,
  RecordLabel,
  type Observation,
  type Placement,
} from '@smalt/migration-record';

import { findLate, isToldIn, listRecords, nearest } from './find-record.ts';
import { settleRecord } from './join-twin.ts';
import { finishMove, isMoving, putAway, RecordMoved } from './move-record.ts';
import { createRecord, joinStatus, keptFor, type RecordTarget } from './record-store.ts';

/** What was written before, so that nothing has to be read again. */
export interface WrittenRecord {
  readonly uid?: string | undefined;
  /** The object as the API had it last. */
  readonly object?: Migration | undefined;
  /** Whether to wait for the hosts of an earlier migration, who may be about to put its record away. */
  readonly isPatient: boolean;
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
 * in a new one, for which the old is put away, or in one that was put away before. A record of others is left to them:
 * this one is told beside it then.
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
      const late = object === undefined ? await findLate(target, observation, uid, signal) : undefined;
      const known = object ?? late;
      const found =
        known === undefined
          ? await readOrMake(target, observation, signal)
          : { object: known, isFound: late !== undefined };
      const isFirst = written.uid === undefined;
      return await place(target, observation, { ...written, ...found, uid, isFirst, onKept }, signal);
    } catch (error) {
      if (!isBehind(error)) throw error;
      // An answer did not get lost, so it was not written there.
      written.onAttempt(uid);
      if (attempt >= ATTEMPTS) throw error;
      object = undefined;
    }
  }
}

/** Whether somebody else was faster, so that it has to be looked at anew. */
function isBehind(error: unknown): boolean {
  return error instanceof RecordMoved || isConflict(error) || isNotFound(error) || isAlreadyExists(error);
}

interface Found {
  readonly object: Migration;
  /** Whether it is known to be of the same migration. */
  readonly isFound: boolean;
}

interface Placing extends WrittenRecord, Found {
  readonly object: Migration;
  readonly isFirst: boolean;
  /** Told of the record that tells of this migration: should it be moved or joined with another now, it is found there. */
  readonly onKept: (uid: string | undefined) => void;
}

async function place(
  target: RecordTarget,
  observation: Observation,
  placing: Placing,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { instance, host } = observation;
  const { object, onAttempt } = placing;
  switch (placementOf(target, observation, placing)) {
    case 'move': {
      await finishMove(target, { instance, host, object }, signal);
      throw new RecordMoved(`${object.metadata.name} is no longer there`);
    }
    case 'join': {
      onAttempt(object.metadata.uid);
      return await join(target, observation, placing, signal);
    }
    case 'begin-anew': {
      await putAway(target, { instance, host, object }, signal);
      throw new RecordMoved(`${object.metadata.name} was put away`);
    }
    case 'wait':
      return { kind: 'unclear' };
    case 'stale':
      // The end is what counts in a record that was put away.
      return observation.result === undefined ? { kind: 'unclear' } : await keep(target, observation, placing, signal);
    case 'aside':
      return await keep(target, observation, placing, signal);
  }
}

function placementOf(
  { toleranceMs }: RecordTarget,
  observation: Observation,
  { uid, object, isFound, isPatient }: Placing,
): Placement | 'move' {
  const { metadata, status } = object;
  const { role, host } = observation;
  if (isMoving(object)) {
    if (status !== undefined && isOfHost(status, host)) return 'move';
    return isPatient ? 'wait' : 'aside';
  }
  // Who has just made it is about to say what it is of.
  const isNew = status === undefined && metadata.labels?.[RecordLabel[role]] !== labelValue(host);
  if (isNew && isPatient) return 'wait';
  const isTold = isFound || (uid === metadata.uid && isToldIn(object, observation));
  const isElsewhere = uid !== undefined && uid !== metadata.uid;
  const written = isTold ? 'here' : isElsewhere ? 'elsewhere' : 'never';
  return placeObservation(observation, status, { written, toleranceMs, isPatient });
}

/** Tells an observation in a record beside the one that bears the guest's id. */
async function keep(
  target: RecordTarget,
  observation: Observation,
  placing: Placing,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { instance, result } = observation;
  // Those of a migration that is over were looked through before.
  const records = result === undefined ? await listRecords(target, instance, signal) : [];
  const kept =
    nearest(target, observation, records) ?? (await keptFor(target, instance, observedStatus(observation), signal));
  placing.onKept(kept.metadata.uid);
  if (isMoving(kept)) throw new RecordMoved(`${kept.metadata.name} is being moved`);
  return await join(target, observation, { ...placing, object: kept }, signal);
}

async function join(
  target: RecordTarget,
  observation: Observation,
  { object, isFirst, onKept }: Placing,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const told = await joinStatus(target, { object, status: observedStatus(observation) }, signal);
  onKept(told.metadata.uid);
  return { kind: 'written', object: await settleRecord(target, observation, told, signal), isFirst };
}

/** What bears the guest's id; if nothing does, what the other host tells beside it, or a new record. */
async function readOrMake(target: RecordTarget, observation: Observation, signal: AbortSignal): Promise<Found> {
  const { migrations, namespace } = target;
  const { instance, role, host } = observation;
  try {
    return { object: await migrations.get(instance, { namespace, signal }), isFound: false };
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const aside = nearest(target, observation, await listRecords(target, instance, signal));
  if (aside !== undefined) return { object: aside, isFound: true };
  const hosts = { [role]: host };
  return { object: await createRecord(target, { instance, name: instance, hosts }, signal), isFound: false };
}
