import type { EngineKind, Session, StoreRow } from '@smalt/store';

import type { ServiceClock } from '../ports/service-clock.ts';
import type { HaSchema } from './ha-schema.ts';

export type OwnClock = Pick<ServiceClock, 'now'>;

const POSTGRES_NOW = 'extract(epoch FROM clock_timestamp())::double precision * 1000 AS now';
// Another server, or this one after a crash, may have gone back to before what we have read.
const POSTGRES_RUN = 'pg_postmaster_start_time()::text AS run';

const ADVANCE: Readonly<Record<EngineKind, string>> = {
  sqlite: 'UPDATE tick SET number = number + 1 RETURNING number',
  postgres: `UPDATE tick SET number = number + 1 RETURNING number, ${POSTGRES_NOW}`,
};
const LOOK: Readonly<Record<EngineKind, string>> = {
  sqlite: "SELECT number, 'file' AS run FROM tick",
  postgres: `SELECT number, ${POSTGRES_NOW}, ${POSTGRES_RUN} FROM tick`,
};

/**
 * One moment by the store's clock and by our own. A server has one clock for all replicas; for a file it is our own. Times are
 * carried over as ages, so clocks are never compared; what lies in the future was noted before a clock was set back, and is
 * taken as of now.
 */
export class StoreTime {
  /** The number of the transaction. */
  readonly tick: number;
  readonly now: number;
  readonly run: string;
  readonly #ownNow: number;

  constructor(row: StoreRow | undefined, ownNow: number) {
    this.tick = Number(row?.['number'] ?? 0);
    this.now = typeof row?.['now'] === 'number' ? row['now'] : ownNow;
    this.run = String(row?.['run'] ?? '');
    this.#ownNow = ownNow;
  }

  toStore(at: number): number {
    return this.now - Math.max(0, this.#ownNow - at);
  }

  toOwn(at: number): number {
    return this.#ownNow - this.ageOf(at);
  }

  ageOf(at: number): number {
    return Math.max(0, this.now - at);
  }
}

/**
 * Takes the next number for a transaction, as its first statement. Whoever else does so waits until the transaction is over, so
 * numbers, and all ids that are given after it, become visible in their order.
 */
export async function advance(session: Session<HaSchema>, clock: OwnClock): Promise<StoreTime> {
  const [row] = await session.run(ADVANCE, []);
  return new StoreTime(row, clock.now());
}

/** The time, and the number of the last transaction that is over. */
export async function look(session: Session<HaSchema>, clock: OwnClock): Promise<StoreTime> {
  const [row] = await session.run(LOOK, []);
  return new StoreTime(row, clock.now());
}
