import type { Migration, MigrationStatus } from '@smalt/fleet-api';
import { isAlreadyExists, type ResourceClient } from '@smalt/kube';
import { areOfOthers, joinAccounts, keptRecordNames, RecordAnnotation, recordLabels } from '@smalt/migration-record';

export interface RecordStore {
  readonly migrations: ResourceClient<Migration>;
  readonly namespace: string;
}

export interface RecordTarget extends RecordStore {
  /** By how much the clocks of two hosts may differ. */
  readonly toleranceMs: number;
}

export interface NewRecord {
  readonly instance: string;
  readonly name: string;
  readonly hosts: Pick<MigrationStatus, 'origin' | 'destination'>;
  /** The uid of the record that it is made from. */
  readonly movedFrom?: string | undefined;
}

export async function createRecord(
  { migrations, namespace }: RecordStore,
  { instance, name, hosts, movedFrom }: NewRecord,
  signal: AbortSignal,
): Promise<Migration> {
  const annotations = { ...(movedFrom !== undefined && { [RecordAnnotation.movedFrom]: movedFrom }) };
  const metadata = { name, namespace, labels: recordLabels(instance, hosts), annotations };
  return await migrations.create({ metadata, spec: {} }, { namespace, signal });
}

/** Makes a record, or reads it if there is one of that name. */
export async function createOrRead(store: RecordStore, record: NewRecord, signal: AbortSignal): Promise<Migration> {
  const { migrations, namespace } = store;
  return await createRecord(store, record, signal).catch(async (error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
    return await migrations.get(record.name, { namespace, signal });
  });
}

/** The record that is kept of the migration of this status; made if there is none. */
export async function keptFor(
  store: RecordStore,
  instance: string,
  status: MigrationStatus,
  signal: AbortSignal,
): Promise<Migration> {
  const [name, preciseName] = keptRecordNames(instance, status);
  const kept = await createOrRead(store, { instance, name, hosts: status }, signal);
  const isOther =
    kept.status !== undefined && (kept.status.started !== status.started || areOfOthers(kept.status, status));
  return isOther ? await createOrRead(store, { instance, name: preciseName, hosts: status }, signal) : kept;
}

export interface RecordChange {
  readonly instance: string;
  readonly object: Migration;
  readonly status: MigrationStatus;
}

/** Joins a status into a record, under the lock of its version. Writes only what is new, and the labels that follow. */
export async function joinRecord(store: RecordStore, change: RecordChange, signal: AbortSignal): Promise<Migration> {
  return await labelRecord(store, change.instance, await joinStatus(store, change, signal), signal);
}

/** As `joinRecord`, without the labels. */
export async function joinStatus(
  { migrations }: RecordStore,
  { object, status: told }: Omit<RecordChange, 'instance'>,
  signal: AbortSignal,
): Promise<Migration> {
  const status = object.status === undefined ? told : joinAccounts(object.status, told);
  const isNew = object.status === undefined || print(object.status) !== print(status);
  return isNew ? await migrations.replaceStatus({ ...object, status }, { signal }) : object;
}

/** Gives a record the labels of what is told in it. */
export async function labelRecord(
  { migrations, namespace }: RecordStore,
  instance: string,
  current: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const labels = recordLabels(instance, current.status ?? {});
  const isLabelled = Object.entries(labels).every(([key, value]) => current.metadata.labels?.[key] === value);
  if (isLabelled) return current;
  // By now another record may bear this name.
  const { name, resourceVersion } = current.metadata;
  return await migrations.patch(name, 'merge', { metadata: { resourceVersion, labels } }, { namespace, signal });
}

function print(status: MigrationStatus): string {
  return JSON.stringify(Object.entries(status).toSorted(([one], [two]) => (one < two ? -1 : 1)));
}
