import { SignalSource } from '@smalt/failure-detection';
import { StoreError, type Database, type Session } from '@smalt/store';

import type { HostReport, SignalChanges, SignalRecord, SignalStore } from '../ports/telemetry-store.ts';
import type { HostSignals } from './durable-ha-store.ts';
import { foldSamples } from './fold-samples.ts';
import type { HaSchema } from './ha-schema.ts';
import { readStoredSignals, writeSignalChanges } from './signal-rows.ts';
import { advance, look, type OwnClock, type StoreTime } from './store-time.ts';

/** What is known of one host, without a look at all others. */
export async function readHostSignals(
  database: Database<HaSchema>,
  host: string,
  { clock, signal }: { readonly clock: OwnClock; readonly signal: AbortSignal },
): Promise<HostSignals> {
  return await database.read(async (session) => {
    const time = await look(session, clock);
    const { queries } = session;
    const rows = await session.all(queries.selectFrom('signal').select(SIGNAL_COLUMNS).where('host', '=', host));
    const report = await session.first(queries.selectFrom('host_report').selectAll().where('host', '=', host));
    return { signals: rows.flatMap((row) => toSignal(row, time)), report: report && toReport(report) };
  }, signal);
}

/** Signs of life and death, in tables. */
export function createSignalStore(database: Database<HaSchema>, clock: OwnClock): SignalStore {
  return {
    state: async (samples, signal) => {
      if (samples.length === 0) return;
      for (const { host } of samples) {
        if (!host.isWellFormed()) throw new StoreError('invalid-value', 'host has a character that cannot be stored');
      }
      await database.transaction(async (session) => {
        const time = await advance(session, clock);
        const keys = samples.map(({ host, source }) => [host, source]);
        const stored = await readStoredSignals(session, keys);
        const timed = samples.map((sample) => ({ ...sample, at: time.toStore(sample.at) }));
        await writeSignalChanges(session, foldSamples(timed, stored, time.now), time.tick);
      }, signal);
    },
    changes: (cursor, signal) => database.read((session) => readChanges(session, cursor, clock), signal),
  };
}

async function readChanges(
  session: Session<HaSchema>,
  cursor: string | undefined,
  clock: OwnClock,
): Promise<SignalChanges> {
  // The number is read first: all up to it is visible, and what comes between the queries is read once more.
  const time = await look(session, clock);
  const after = afterOf(cursor, time);
  const signals = await session.all(
    session.queries.selectFrom('signal').select(SIGNAL_COLUMNS).where('changed', '>', after),
  );
  const reports = await session.all(session.queries.selectFrom('host_report').selectAll().where('changed', '>', after));
  return {
    cursor: `${time.tick} ${time.run}`,
    signals: signals.flatMap((row) => toSignal(row, time)),
    reports: reports.map(toReport),
  };
}

/** A server that was started anew may have lost what we have read, and given the numbers again. */
function afterOf(cursor: string | undefined, { run, tick }: StoreTime): number {
  if (cursor === undefined) return -1;
  const space = cursor.indexOf(' ');
  const number = Number(cursor.slice(0, space));
  return cursor.slice(space + 1) === run && number <= tick ? number : -1;
}

const SIGNAL_COLUMNS = ['host', 'source', 'alive_at', 'dead_since', 'dead_at'] as const;
type SignalRow = Pick<HaSchema['signal'], (typeof SIGNAL_COLUMNS)[number]>;

function toSignal(row: SignalRow, time: StoreTime): readonly SignalRecord[] {
  const source = SOURCES.find((known) => known === row.source);
  // A source of another release says nothing to this one.
  if (source === undefined) return [];
  const age = (at: number | null): number | undefined => (at === null ? undefined : time.ageOf(at));
  return [
    {
      host: row.host,
      source,
      aliveAgeMs: age(row.alive_at),
      deadSinceAgeMs: age(row.dead_since),
      deadAgeMs: age(row.dead_at),
    },
  ];
}

const SOURCES: readonly SignalSource[] = Object.values(SignalSource);

function toReport(row: HaSchema['host_report']): HostReport {
  return {
    host: row.host,
    previousBoot: toBoot(row.previous_boot_id, row.previous_uptime),
    latestBoot: toBoot(row.latest_boot_id, row.latest_uptime),
    instances: row.instances ?? undefined,
  };
}

function toBoot(bootId: string | null, uptimeSeconds: number | null): HostReport['latestBoot'] {
  return uptimeSeconds === null ? undefined : { bootId: bootId ?? undefined, uptimeSeconds };
}
