import type { Migration } from '@smalt/fleet-api';
import {
  isOfHost,
  keptRecordNames,
  labelValue,
  observedStatus,
  placeObservation,
  RecordAnnotation,
  RecordLabel,
  type Observation,
} from '@smalt/migration-record';

import { isMoving } from './move-record.ts';
import type { RecordTarget } from './record-store.ts';

/**
 * The record of a migration that is over, or whose record is no longer where it was, among all of the guest: the other
 * host may have told of it before, and of later ones since, whatever bears the guest's id now.
 */
export async function findLate(
  target: RecordTarget,
  observation: Observation,
  uid: string | undefined,
  signal: AbortSignal,
): Promise<Migration | undefined> {
  if (observation.result === undefined && uid === undefined) return undefined;
  const records = await listRecords(target, observation.instance, signal);
  // A move that was interrupted is finished first, whatever else there is to tell.
  const moving = records.find((record) => isMoving(record) && isOfHost(record.status ?? {}, observation.host));
  if (moving !== undefined) return moving;
  const told = records.filter((record) => isToldIn(record, observation));
  const written =
    told.find(({ metadata }) => metadata.uid === uid) ??
    told.find(({ metadata }) => uid !== undefined && metadata.annotations?.[RecordAnnotation.movedFrom] === uid) ??
    records.find((record) => isBegun(record, observation));
  // What was written before may have been put away by now, with times of the other host.
  const wasTold = uid !== undefined && !records.some(({ metadata }) => metadata.uid === uid);
  const isEstimated = observation.isEstimated || wasTold;
  return written ?? nearest(target, { ...observation, isEstimated }, records);
}

/** Whether this host may have told something in a record: in one that others told in meanwhile, it has not. */
export function isToldIn({ status }: Migration, { role, host }: Pick<Observation, 'role' | 'host'>): boolean {
  return status === undefined || status[role] === host;
}

/** Whether this host made a record to keep this very migration in, and never heard that it was made. */
function isBegun({ metadata, status }: Migration, observation: Observation): boolean {
  const { instance, role, host } = observation;
  const names = keptRecordNames(instance, observedStatus(observation));
  if (status !== undefined || !names.includes(metadata.name)) return false;
  const { labels, annotations } = metadata;
  return labels?.[RecordLabel[role]] === labelValue(host) && annotations?.[RecordAnnotation.movedFrom] === undefined;
}

/** Of the records that may be of this migration, the one that began at nearly the same time: a retry follows at once. */
export function nearest(
  { toleranceMs }: Pick<RecordTarget, 'toleranceMs'>,
  observation: Observation,
  records: readonly Migration[],
): Migration | undefined {
  const distanceOf = ({ status }: Migration): number =>
    Math.abs(Date.parse(status?.started ?? '') - observation.startedAtMs);
  const context = { written: 'never', toleranceMs, isPatient: false } as const;
  const [first] = records
    .filter((record) => record.status !== undefined && !isMoving(record))
    .filter(({ status }) => placeObservation(observation, status, context) === 'join')
    .toSorted((one, other) => distanceOf(one) - distanceOf(other));
  return first;
}

export async function listRecords(
  { migrations, namespace }: RecordTarget,
  instance: string,
  signal: AbortSignal,
): Promise<readonly Migration[]> {
  const requirements = [{ key: RecordLabel.instance, operator: 'in' as const, values: [labelValue(instance)] }];
  const { items } = await migrations.list({ namespace, labelSelector: { requirements }, signal });
  return items;
}
