import { openDatabase, type Database, type DatabaseLocation, type Session } from '@smalt/store';
import type { TelemetryInstance } from '@smalt/ha-telemetry';

import type { ServiceSwitches } from '../ports/ha-store.ts';
import type { JournalEntry } from '../ports/incident-store.ts';
import type { ReportedInstances } from '../ports/telemetry-store.ts';
import type { DurableHaStore } from './durable-ha-store.ts';
import { haMigrations } from './ha-migrations.ts';
import type { HaSchema } from './ha-schema.ts';
import { listRebuilds } from './list-rebuilds.ts';
import { pruneStore } from './prune-store.ts';
import { createDocumentStore } from './sql-document-store.ts';
import { createHostStore } from './sql-host-store.ts';
import { createIncidentStore } from './sql-incident-store.ts';
import { appendEntries, createJournalStore } from './sql-journal-store.ts';
import { createSignalStore, readHostSignals } from './sql-signal-store.ts';
import { createTelemetryStore, type TelemetryObserver } from './sql-telemetry-store.ts';
import { advance, look, type OwnClock } from './store-time.ts';

export interface HaStoreOptions extends TelemetryObserver {
  readonly location: DatabaseLocation;
  readonly clock: OwnClock;
  readonly ignore: (error: unknown, why: string) => void;
}

/** Opens the store, and brings its tables up to date. Whatever fails in it is a `StoreError`. */
export async function openHaStore(options: HaStoreOptions, signal: AbortSignal): Promise<DurableHaStore> {
  const { location, clock, ignore } = options;
  const database = await openDatabase<HaSchema>({ location, migrations: haMigrations, ignore }, signal);
  try {
    await bringBackToNow(database, clock, signal);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  return {
    kind: database.kind,
    telemetry: createTelemetryStore(database, clock, options),
    signals: createSignalStore(database, clock),
    incidents: createIncidentStore(database, clock),
    journal: createJournalStore(database, clock),
    hosts: createHostStore(database),
    documents: createDocumentStore(database),
    switches: (inner) => readSwitches(database, inner),
    setSwitches: (change, entry, inner) =>
      database.transaction((session) => turnSwitches(session, change, { entry, clock }), inner),
    ping: async (inner) => {
      await database.read((session) => look(session, clock), inner);
    },
    rebuilds: (filter, inner) => listRebuilds(database, filter, inner),
    signalsOf: (host, inner) => readHostSignals(database, host, { clock, signal: inner }),
    reportedInstances: (host, inner) => readInstances(database, host, inner),
    prune: (retention, inner) => pruneStore(database, clock, { retention, signal: inner }),
    backup: (path, inner) => database.backup(path, inner),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** What was noted before a clock was set back would stay without age until that time has come again. */
async function bringBackToNow(database: Database<HaSchema>, clock: OwnClock, signal: AbortSignal): Promise<void> {
  await database.transaction(async (session) => {
    const { now } = await advance(session, clock);
    const { queries } = session;
    for (const column of ['alive_at', 'dead_since', 'dead_at'] as const) {
      await session.change(queries.updateTable('signal').set(column, now).where(column, '>', now));
    }
    for (const column of ['stored_at', 'changed_at'] as const) {
      await session.change(queries.updateTable('incident').set(column, now).where(column, '>', now));
    }
    await session.change(queries.updateTable('telemetry_event').set('stored_at', now).where('stored_at', '>', now));
    await session.change(queries.updateTable('decision').set('at', now).where('at', '>', now));
    await session.change(queries.updateTable('journal').set('stored_at', now).where('stored_at', '>', now));
    await session.change(queries.updateTable('telemetry_cursor').set('used_at', now).where('used_at', '>', now));
  }, signal);
}

async function readSwitches(database: Database<HaSchema>, signal: AbortSignal): Promise<ServiceSwitches> {
  return database.read(async (session) => {
    const row = await session.first(session.queries.selectFrom('service_switch').selectAll());
    return { isPaused: row?.is_paused === 1, isDryRun: row?.is_dry_run === 1 };
  }, signal);
}

/** Names only the columns that change: two persons who turn one switch each at the same moment both get their way. */
async function turnSwitches(
  session: Session<HaSchema>,
  { isPaused, isDryRun }: Partial<ServiceSwitches>,
  { entry, clock }: { readonly entry: JournalEntry; readonly clock: OwnClock },
): Promise<void> {
  const time = await advance(session, clock);
  const row = {
    ...(isPaused !== undefined && { is_paused: Number(isPaused) }),
    ...(isDryRun !== undefined && { is_dry_run: Number(isDryRun) }),
  };
  if (Object.keys(row).length > 0) await session.change(session.queries.updateTable('service_switch').set(row));
  await appendEntries(session, [entry], time);
}

async function readInstances(
  database: Database<HaSchema>,
  host: string,
  signal: AbortSignal,
): Promise<ReportedInstances | undefined> {
  return database.read(async (session) => {
    const row = await session.first(
      session.queries.selectFrom('instance_report').select(['content', 'time']).where('host', '=', host),
    );
    // It was checked when it came, and written by us.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return row && { instances: JSON.parse(row.content) as readonly TelemetryInstance[], time: row.time };
  }, signal);
}
