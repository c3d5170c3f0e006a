import type { Migration } from '@smalt/fleet-api';
import { RecordAnnotation, type Observation } from '@smalt/migration-record';

import { listRecords, nearest } from './find-record.ts';
import { annotate, moveRecord } from './move-record.ts';
import { joinRecord, labelRecord, type RecordTarget } from './record-store.ts';

/** Labels a record that an observation was told in, and in the end makes one of it and its twin. */
export async function settleRecord(
  target: RecordTarget,
  observation: Observation,
  told: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const { instance, result } = observation;
  const own = await labelRecord(target, instance, told, signal);
  const isAlone = own.status?.origin === undefined || own.status.destination === undefined;
  if (!isAlone || result === undefined) return own;
  return await joinTwin(target, observation, own, signal);
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
  const { instance, role, host } = observation;
  const records = await listRecords(target, instance, signal);
  const others = records.filter(({ status }) => status?.[role] === undefined);
  const known = own.metadata.annotations?.[RecordAnnotation.twin];
  const twin = records.find(({ metadata }) => metadata.uid === known) ?? nearest(target, observation, others);
  if (twin === undefined || own.status === undefined) return own;
  const { name, uid } = twin.metadata;
  if (goesFirst(own, twin, instance)) {
    return await moveRecord(target, { instance, host, object: own, name, twin: uid }, signal);
  }
  // Only who tells in a record may move it, so it is joined first. Who is interrupted then would not know it again.
  await annotate(target, own, { [RecordAnnotation.twin]: uid ?? null }, signal);
  const object = await joinRecord(target, { instance, object: twin, status: own.status }, signal);
  return await moveRecord(target, { instance, host, object, name: own.metadata.name }, signal);
}

/** What bears the guest's id goes, since that is where records leave from; else the later name does. */
function goesFirst({ metadata: own }: Migration, { metadata: twin }: Migration, instance: string): boolean {
  if (own.name === instance || twin.name === instance) return own.name === instance;
  return own.name > twin.name;
}
