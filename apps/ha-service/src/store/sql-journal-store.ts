import type { Database, Session } from '@smalt/store';

import type { JournalEntry, JournalFilter, JournalStore, StoredJournalEntry } from '../ports/incident-store.ts';
import type { HaSchema } from './ha-schema.ts';
import { recordId, recordNumber } from './record-id.ts';
import { advance, type OwnClock, type StoreTime } from './store-time.ts';

/** The history, in a table. */
export function createJournalStore(database: Database<HaSchema>, clock: OwnClock): JournalStore {
  return {
    append: async (entries, signal) => {
      if (entries.length === 0) return;
      await database.transaction(async (session) => {
        await appendEntries(session, entries, await advance(session, clock));
      }, signal);
    },
    list: (after, filter, signal) => database.read((session) => listEntries(session, after, filter), signal),
  };
}

/** Adds lines in a transaction that has taken its number. */
export async function appendEntries(
  session: Session<HaSchema>,
  entries: readonly JournalEntry[],
  time: StoreTime,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    at: entry.at,
    kind: entry.kind,
    severity: entry.severity,
    host: entry.host ?? null,
    incident_id: entry.incidentId ?? null,
    instance_id: entry.instanceId ?? null,
    message: withoutNul(entry.message),
    by_whom: entry.by === undefined ? null : withoutNul(entry.by),
    stored_at: time.now,
  }));
  await session.change(session.queries.insertInto('journal').values(rows));
}

/** What others have said goes into sentences, and no byte of it may keep a step of an incident from being stored. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

async function listEntries(
  session: Session<HaSchema>,
  after: string | undefined,
  { host, incidentId, kinds, limit }: JournalFilter,
): Promise<readonly StoredJournalEntry[]> {
  let query = session.queries.selectFrom('journal').selectAll().limit(limit);
  query = after === undefined ? query.orderBy('id', 'desc') : query.where('id', '>', recordNumber(after)).orderBy('id');
  if (host !== undefined) query = query.where('host', '=', host);
  if (incidentId !== undefined) query = query.where('incident_id', '=', incidentId);
  if (kinds !== undefined) query = query.where('kind', 'in', kinds);
  const rows = kinds?.length === 0 ? [] : await session.all(query);
  return rows.map((row) => ({
    id: recordId(row.id),
    at: row.at,
    kind: row.kind,
    severity: row.severity,
    host: row.host ?? undefined,
    incidentId: row.incident_id ?? undefined,
    instanceId: row.instance_id ?? undefined,
    message: row.message,
    by: row.by_whom ?? undefined,
  }));
}
