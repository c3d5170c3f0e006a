import type { Migration } from '@smalt/fleet-api';
import { isKubeError } from '@smalt/kube';
import { areOfOthers, isOfHost, keptRecordNames, RecordAnnotation } from '@smalt/migration-record';

import { createOrRead, joinRecord, type RecordStore } from './record-store.ts';

export interface MovingRecord {
  readonly instance: string;
  /** The host that moves it: one of the two that it tells of. */
  readonly host: string;
  readonly object: Migration;
}

/** A record is not where it was, or about to be elsewhere, so that it has to be looked for anew. */
export class RecordMoved extends Error {}

/** Whether a record is on its way to another name. Nothing may be written to it; what is told in it has to follow it. */
export function isMoving({ metadata }: Migration): boolean {
  return metadata.annotations?.[RecordAnnotation.movesTo] !== undefined;
}

/** Keeps a record under the name of the time at which its migration began. One that tells nothing goes. */
export async function putAway(store: RecordStore, record: MovingRecord, signal: AbortSignal): Promise<void> {
  const { instance, object } = record;
  if (object.status === undefined) return await remove(store, object, signal);
  const [name] = keptRecordNames(instance, object.status);
  await moveRecord(store, { ...record, name }, signal);
}

export interface RecordMove extends MovingRecord {
  readonly name: string;
  /** The uid of the record of that name, if it is of the same migration. */
  readonly twin?: string | undefined;
}

/**
 * Moves a record to another name. Where to is written into the record first, under the lock of its version, so that both
 * hosts, and an agent that was interrupted, move it to the same place, and nobody joins what is copied already.
 */
export async function moveRecord(
  store: RecordStore,
  { name, twin, ...record }: RecordMove,
  signal: AbortSignal,
): Promise<Migration> {
  const annotations = {
    [RecordAnnotation.movesTo]: name,
    ...(twin !== undefined && { [RecordAnnotation.twin]: twin }),
  };
  const moving = await annotate(store, record.object, annotations, signal);
  return await finishMove(store, { ...record, object: moving }, signal);
}

/** Finishes what `moveRecord` began, here or on the other host. Returns what the record has become. */
export async function finishMove(store: RecordStore, record: MovingRecord, signal: AbortSignal): Promise<Migration> {
  const { instance, host, object } = record;
  const { metadata, status } = object;
  const name = metadata.annotations?.[RecordAnnotation.movesTo];
  if (name === undefined || status === undefined) throw new Error(`${metadata.name} has nowhere to go`);
  const kept = await createOrRead(store, { instance, name, hosts: status, movedFrom: metadata.uid }, signal);
  const [, preciseName] = keptRecordNames(instance, status);
  const isStuck = isOfOtherHosts(kept, object) || (isMoving(kept) && !isOfHost(kept.status ?? {}, host));
  if (metadata.name === instance && name !== preciseName && (isStuck || isOfAnother(kept, object))) {
    return await moveRecord(store, { ...record, name: preciseName }, signal);
  }
  // The name is not free any more, or never was: the record stays where it is.
  if (isStuck) return await annotate(store, object, { [RecordAnnotation.movesTo]: null }, signal);
  const goal = isMoving(kept) ? await finishMove(store, { instance, host, object: kept }, signal) : kept;
  const joined = await joinRecord(store, { instance, object: goal, status }, signal);
  await remove(store, object, signal);
  return joined;
}

/** Whether a name is taken by a migration that began in the same second. */
function isOfAnother(kept: Migration, { metadata, status }: Migration): boolean {
  const { [RecordAnnotation.movedFrom]: from, [RecordAnnotation.twin]: twin } = kept.metadata.annotations ?? {};
  if (from === metadata.uid || twin === metadata.uid) return false;
  if (metadata.annotations?.[RecordAnnotation.twin] === kept.metadata.uid) return false;
  return kept.status?.started !== status?.started;
}

function isOfOtherHosts(kept: Migration, { status }: Migration): boolean {
  return kept.status !== undefined && status !== undefined && areOfOthers(kept.status, status);
}

/** Changes annotations of a record as it was read; `null` takes one away. */
export async function annotate(
  { migrations, namespace }: RecordStore,
  { metadata: { name, resourceVersion } }: Migration,
  annotations: Readonly<Record<string, string | null>>,
  signal: AbortSignal,
): Promise<Migration> {
  return await migrations.patch(name, 'merge', { metadata: { resourceVersion, annotations } }, { namespace, signal });
}

/** Deletes a record as it was read. */
async function remove(
  { migrations, namespace }: RecordStore,
  { metadata }: Migration,
  signal: AbortSignal,
): Promise<void> {
  const { name, uid, resourceVersion } = metadata;
  try {
    await migrations.delete(name, { namespace, uid, resourceVersion, signal });
  } catch (error) {
    // A server may look whose record it is before it looks whether it is the one that is meant.
    if (isKubeError(error, 'forbidden')) throw new RecordMoved(`${name} is of others now`, { cause: error });
    throw error;
  }
}
