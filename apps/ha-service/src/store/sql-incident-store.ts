import { isOver, type Incident } from '@smalt/failure-detection';
import { bulkStatement, type BulkStatement, type Database, type Session } from '@smalt/store';

import {
  JournalKind,
  type IncidentFilter,
  type IncidentStore,
  type NewDecision,
  type StoredDecision,
} from '../ports/incident-store.ts';
import type { HaSchema } from './ha-schema.ts';
import { readIncident, writeIncident } from './incident-content.ts';
import { recordId } from './record-id.ts';
import { appendEntries, withoutNul } from './sql-journal-store.ts';
import { advance, look, type OwnClock, type StoreTime } from './store-time.ts';

const writeInstances: BulkStatement = bulkStatement(
  { incident_id: 'text', instance_id: 'text' },
  (incoming) => `INSERT INTO incident_instance (incident_id, instance_id)
    SELECT incident_id, instance_id FROM ${incoming} WHERE true ON CONFLICT DO NOTHING`,
);

/** Incidents, in tables: the whole of each as JSON, and what is asked for in columns. */
export function createIncidentStore(database: Database<HaSchema>, clock: OwnClock): IncidentStore {
  return {
    open: (incident, entries, signal) =>
      database.transaction(async (session) => {
        const time = await advance(session, clock);
        if (!(await insertIncident(session, incident, time))) return 'exists';
        await noteInstances(session, incident);
        await appendEntries(session, entries, time);
        return 'stored';
      }, signal),
    save: (incident, entries, signal) =>
      database.transaction(async (session) => {
        const time = await advance(session, clock);
        if (!(await updateIncident(session, incident, time))) return 'overtaken';
        await noteInstances(session, incident);
        await appendEntries(session, entries, time);
        return 'stored';
      }, signal),
    get: (id, signal) =>
      database.read(async (session) => {
        const row = await session.first(session.queries.selectFrom('incident').select('content').where('id', '=', id));
        return row && readIncident(row.content);
      }, signal),
    list: (filter, signal) => database.read((session) => listIncidents(session, filter), signal),
    lastOpenedAt: (signal) => database.read((session) => readLastOpening(session, clock), signal),
    addDecision: (decision, signal) =>
      database.transaction((session) => insertDecision(session, decision, clock), signal),
    decisions: (incidentId, signal) => database.read((session) => listDecisions(session, incidentId, clock), signal),
  };
}

async function insertIncident(session: Session<HaSchema>, incident: Incident, time: StoreTime): Promise<boolean> {
  const row = { ...columnsOf(incident, time), id: incident.id, host: incident.host, stored_at: time.now };
  // One that has its id, or is open on its host.
  const query = session.queries
    .insertInto('incident')
    .values(row)
    .onConflict((conflict) => conflict.doNothing());
  return (await session.change(query)) === 1;
}

async function updateIncident(session: Session<HaSchema>, incident: Incident, time: StoreTime): Promise<boolean> {
  const query = session.queries
    .updateTable('incident')
    .set(columnsOf(incident, time))
    .where('id', '=', incident.id)
    .where('revision', '=', incident.revision - 1);
  return (await session.change(query)) === 1;
}

function columnsOf(incident: Incident, time: StoreTime) {
  return {
    state: incident.state,
    is_over: Number(isOver(incident)),
    revision: incident.revision,
    opened_at: incident.openedAt,
    changed_at: time.now,
    content: writeIncident(incident),
  };
}

async function noteInstances(session: Session<HaSchema>, { id, instances }: Incident): Promise<void> {
  await session.bulk(
    writeInstances,
    instances.map((instance) => [id, instance.id]),
  );
}

async function listIncidents(
  session: Session<HaSchema>,
  { host, states, limit, before }: IncidentFilter,
): Promise<readonly Incident[]> {
  if (states?.length === 0) return [];
  let query = session.queries.selectFrom('incident').select('content').orderBy('number', 'desc').limit(limit);
  if (host !== undefined) query = query.where('host', '=', host);
  if (states !== undefined) query = query.where('state', 'in', states);
  if (before !== undefined) {
    const place = session.queries
      .selectFrom('incident as earlier')
      .select('earlier.number')
      .where('earlier.id', '=', before);
    query = query.where('number', '<', place);
  }
  return (await session.all(query)).map(({ content }) => readIncident(content));
}

async function readLastOpening(session: Session<HaSchema>, clock: OwnClock): Promise<number | undefined> {
  const time = await look(session, clock);
  const query = session.queries.selectFrom('incident').select((row) => row.fn.max('stored_at').as('newest'));
  const newest: number | null | undefined = (await session.first(query))?.newest;
  return newest === null || newest === undefined ? undefined : time.toOwn(newest);
}

async function insertDecision(
  session: Session<HaSchema>,
  decision: NewDecision,
  clock: OwnClock,
): Promise<StoredDecision> {
  const time = await advance(session, clock);
  const { incidentId, host, kind } = decision;
  const [by, note, at] = [withoutNul(decision.by), withoutNul(decision.note), time.toOwn(time.now)];
  const row = { incident_id: incidentId, host, kind, by_whom: by, at: time.now, note };
  const stored = await session.first(session.queries.insertInto('decision').values(row).returning('id'));
  const message = `${by} said "${kind}" of ${host}: ${note}`;
  const entry = { at, kind: JournalKind.person, severity: 'warning', host, incidentId, message, by } as const;
  await appendEntries(session, [{ ...entry, instanceId: undefined }], time);
  return { id: recordId(stored?.id ?? 0), kind, host, incidentId, by, note, at };
}

async function listDecisions(
  session: Session<HaSchema>,
  incidentId: string,
  clock: OwnClock,
): Promise<readonly StoredDecision[]> {
  const time = await look(session, clock);
  const rows = await session.all(
    session.queries.selectFrom('decision').selectAll().where('incident_id', '=', incidentId).orderBy('id'),
  );
  return rows.flatMap(({ id, kind, host, by_whom: by, at, note }) => {
    const known = DECISION_KINDS.find((each) => each === kind);
    // A word of another release is not understood, and therefore not acted on.
    return known === undefined
      ? []
      : [{ id: recordId(id), kind: known, host, incidentId, by, note, at: time.toOwn(at) }];
  });
}

const DECISION_KINDS: readonly StoredDecision['kind'][] = ['host-is-off', 'close', 'release'];
