import type { Migration } from '@smalt/fleet-api';
import { keptRecordNames, RecordAnnotation } from '@smalt/migration-record';

import { createOrRead, joinRecord, type RecordStore } from './record-store.ts';

export interface MovingRecord {
  readonly instance: string;
  readonly object: Migration;
}

/** Whether a record is on its way to another name. Nothing may be written to it; what is told in it has to follow it. */
export function isMoving({ metadata }: Migration): boolean {
  return metadata.annotations?.[RecordAnnotation.movesTo] !== undefined;
}

/** Keeps a record under the name of the time at which its migration began. One that tells nothing goes. */
export async function putAway(
  store: RecordStore,
  { instance, object }: MovingRecord,
  signal: AbortSignal,
): Promise<void> {
  if (object.status === undefined) return await remove(store, object, signal);
  const [name] = keptRecordNames(instance, object.status);
  await moveRecord(store, { instance, object, name }, signal);
}

/**
 * Moves a record to another name. Where to is written into the record first, under the lock of its version, so that both
 * hosts, and an agent that was interrupted, move it to the same place, and nobody joins what is copied already.
 */
export async function moveRecord(
  store: RecordStore,
  { instance, object, name }: MovingRecord & { readonly name: string },
  signal: AbortSignal,
): Promise<Migration> {
  const { migrations, namespace } = store;
  const { resourceVersion } = object.metadata;
  const metadata = { resourceVersion, annotations: { [RecordAnnotation.movesTo]: name } };
  const moving = await migrations.patch(object.metadata.name, 'merge', { metadata }, { namespace, signal });
  return await finishMove(store, { instance, object: moving }, signal);
}

/** Finishes what `moveRecord` began, here or on the other host. Returns what the record has become. */
export async function finishMove(
  store: RecordStore,
  { instance, object }: MovingRecord,
  signal: AbortSignal,
): Promise<Migration> {
  const { metadata, status } = object;
  const name = metadata.annotations?.[RecordAnnotation.movesTo];
  if (name === undefined || status === undefined) throw new Error(`${metadata.name} has nowhere to go`);
  const kept = await createOrRead(store, { instance, name, hosts: status, movedFrom: metadata.uid }, signal);
  const [, preciseName] = keptRecordNames(instance, status);
  if (metadata.name === instance && name !== preciseName && isOfAnother(kept, object)) {
    return await moveRecord(store, { instance, object, name: preciseName }, signal);
  }
  const goal = isMoving(kept) ? await finishMove(store, { instance, object: kept }, signal) : kept;
  const joined = await joinRecord(store, { instance, object: goal, status }, signal);
  await remove(store, object, signal);
  return joined;
}

/** Whether a name is taken by a migration that began in the same second. */
function isOfAnother(kept: Migration, { metadata, status }: Migration): boolean {
  if (kept.metadata.annotations?.[RecordAnnotation.movedFrom] === metadata.uid) return false;
  return kept.status?.started !== status?.started;
}

/** Deletes a record as it was read. */
async function remove(
  { migrations, namespace }: RecordStore,
  { metadata }: Migration,
  signal: AbortSignal,
): Promise<void> {
  const { name, uid, resourceVersion } = metadata;
  await migrations.delete(name, { namespace, uid, resourceVersion, signal });
}
