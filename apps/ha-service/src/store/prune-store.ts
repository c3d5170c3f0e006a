import type { Database, Session } from '@smalt/store';

import { readCursor } from '../ports/cursor-content.ts';
import { CursorKind } from '../ports/ha-store.ts';
import type { PruneCounts, RetentionSettings } from './durable-ha-store.ts';
import type { HaSchema } from './ha-schema.ts';
import { recordNumber } from './record-id.ts';
import { look, type OwnClock } from './store-time.ts';

/** So few at a time that nobody else waits long. */
const CHUNK = 500;

type Remove = (session: Session<HaSchema>) => Promise<number>;

/** Removes what is old, in small transactions. What is open, held, or not yet read stays. */
export async function pruneStore(
  database: Database<HaSchema>,
  clock: OwnClock,
  { retention, signal }: { readonly retention: RetentionSettings; readonly signal: AbortSignal },
): Promise<PruneCounts> {
  const { now } = await database.read((session) => look(session, clock), signal);
  const repeat = async (remove: Remove): Promise<number> => {
    let sum = 0;
    for (;;) {
      const count = await database.transaction(remove, signal);
      sum += count;
      if (count < CHUNK) return sum;
      // Others have come meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    events: await repeat((session) => removeEvents(session, now - retention.eventsMs)),
    incidents: await repeat((session) => removeIncidents(session, now - retention.incidentsMs)),
    journal: await repeat((session) => removeJournal(session, now - retention.journalMs)),
    epochs: await repeat((session) => removeEpochs(session, now - retention.eventsMs)),
  };
}

async function removeEvents(session: Session<HaSchema>, before: number): Promise<number> {
  const { queries } = session;
  const old = queries
    .selectFrom('telemetry_event')
    .select('id')
    .where('stored_at', '<', before)
    .where('id', '<=', await lastReadByAll(session, CursorKind.events))
    .orderBy('id')
    .limit(CHUNK);
  return session.change(queries.deleteFrom('telemetry_event').where('id', 'in', old));
}

async function removeJournal(session: Session<HaSchema>, before: number): Promise<number> {
  const { queries } = session;
  // Lines of an incident go after it has.
  const old = queries
    .selectFrom('journal')
    .select('id')
    .where('stored_at', '<', before)
    .where('id', '<=', await lastReadByAll(session, CursorKind.journal))
    .where((row) =>
      row.or([
        row('incident_id', 'is', null),
        row.not(
          row.exists(
            row.selectFrom('incident').select('incident.id').whereRef('incident.id', '=', 'journal.incident_id'),
          ),
        ),
      ]),
    )
    .orderBy('id')
    .limit(CHUNK);
  return session.change(queries.deleteFrom('journal').where('id', 'in', old));
}

async function removeIncidents(session: Session<HaSchema>, before: number): Promise<number> {
  const { queries } = session;
  const held = queries.selectFrom('host').select('held_by').where('held_by', 'is not', null);
  // The newest one stays: the brake asks when it was opened.
  const newest = queries.selectFrom('incident as last').select((row) => row.fn.max('last.number').as('number'));
  const old = await session.all(
    queries
      .selectFrom('incident')
      .select('id')
      .where('is_over', '=', 1)
      .where('changed_at', '<', before)
      .where('id', 'not in', held)
      .where('number', '<', newest)
      .orderBy('number')
      .limit(CHUNK),
  );
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await session.change(queries.deleteFrom('incident_instance').where('incident_id', 'in', ids));
  await session.change(queries.deleteFrom('decision').where('incident_id', 'in', ids));
  return session.change(queries.deleteFrom('incident').where('id', 'in', ids));
}

/** An epoch that a host has left cannot come back: its agent has begun another one since. */
async function removeEpochs(session: Session<HaSchema>, before: number): Promise<number> {
  const { queries } = session;
  const old = await session.all(
    queries
      .selectFrom('telemetry_cursor as old')
      .select(['old.host', 'old.epoch'])
      .where('old.used_at', '<', before)
      .where((row) =>
        row.exists(
          row
            .selectFrom('telemetry_cursor as newer')
            .select('newer.epoch')
            .whereRef('newer.host', '=', 'old.host')
            .whereRef('newer.used_at', '>', 'old.used_at'),
        ),
      )
      .limit(CHUNK),
  );
  for (const { host, epoch } of old) {
    await session.change(queries.deleteFrom('telemetry_cursor').where('host', '=', host).where('epoch', '=', epoch));
  }
  return old.length;
}

async function lastReadByAll(session: Session<HaSchema>, kind: string): Promise<number> {
  const rows = await session.all(session.queries.selectFrom('document').select('content').where('kind', '=', kind));
  return Math.min(Number.MAX_SAFE_INTEGER, ...rows.map(({ content }) => lastReadBy(content)));
}

function lastReadBy(content: string): number {
  const after = readCursor(content);
  return after === undefined ? 0 : recordNumber(after);
}
