import type { TelemetryEvent } from '@smalt/ha-telemetry';
import { StoreError, type Database } from '@smalt/store';

import type { ArrivedBatch, StoredEvent, TelemetryStore } from '../ports/telemetry-store.ts';
import { acceptBatches } from './accept-batches.ts';
import { GroupCommit } from './group-commit.ts';
import type { LossReason } from './find-losses.ts';
import type { HaSchema } from './ha-schema.ts';
import { recordId, recordNumber } from './record-id.ts';
import { look, type OwnClock } from './store-time.ts';

// A transaction of this size takes some tens of milliseconds; nothing else is written meanwhile.
const GROUP_LIMITS = { items: 512, weight: 20_000 };

/** Who is told of what was stored, once it is. */
export interface TelemetryObserver {
  /** How many events of instances. */
  readonly onEvents?: ((count: number) => void) | undefined;
  /** How much is missing, and why. */
  readonly onLoss?: ((reason: LossReason, count: number) => void) | undefined;
}

/** What agents tell, in tables. */
export function createTelemetryStore(
  database: Database<HaSchema>,
  clock: OwnClock,
  { onEvents, onLoss }: TelemetryObserver = {},
): TelemetryStore {
  // Nobody's signal: each who waits may give up, but the transaction is for all of them.
  const { signal: endless } = new AbortController();
  const write = async (batches: readonly ArrivedBatch[]): Promise<readonly number[]> => {
    const stored = await database.transaction((session) => acceptBatches(session, batches, clock), endless);
    if (stored.events.length > 0) onEvents?.(stored.events.length);
    for (const { reason, count } of stored.losses) onLoss?.(reason, count);
    return stored.acknowledged;
  };
  const group = new GroupCommit<ArrivedBatch, number>(write, GROUP_LIMITS);
  return {
    accept: async (arrived, signal) => {
      checkNames(arrived);
      return { acknowledged: await group.add(arrived, arrived.batch.records.length, signal) };
    },
    events: (after, limit, signal) => listEvents(database, clock, { after, limit, signal }),
  };
}

function checkNames({ batch }: ArrivedBatch): void {
  for (const field of ['node', 'epoch'] as const) {
    const text = batch[field];
    // What comes back from the database would not be what went in, and nothing would be found under it.
    if (text.isWellFormed() && !text.includes('\0')) continue;
    throw new StoreError('invalid-value', `${field} has a character that cannot be stored`);
  }
}

interface EventPage {
  readonly after: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function listEvents(
  database: Database<HaSchema>,
  clock: OwnClock,
  { after, limit, signal }: EventPage,
): Promise<readonly StoredEvent[]> {
  const number = after === undefined ? 0 : recordNumber(after);
  return database.read(async (session) => {
    const time = await look(session, clock);
    const rows = await session.all(
      session.queries
        .selectFrom('telemetry_event')
        .select(['id', 'host', 'content', 'stored_at'])
        .where('id', '>', number)
        .orderBy('id')
        .limit(limit),
    );
    return rows.map(({ id, host, content, stored_at: storedAt }) => ({
      id: recordId(id),
      host,
      event: parseEvent(content),
      storedAt: time.toOwn(storedAt),
    }));
  }, signal);
}

function parseEvent(content: string): TelemetryEvent {
  // It was checked when it came, and written by us.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(content) as TelemetryEvent;
}
