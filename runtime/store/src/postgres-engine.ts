import { Pool, TypeOverrides, types, type PoolClient, type PoolConfig } from 'pg';

import type { Engine, EngineSession } from './engine.ts';
import type { PostgresPlace } from './parse-postgres-url.ts';
import { postgresError } from './postgres-error.ts';
import { PostgresSession } from './postgres-session.ts';
import { isStoreError, StoreError } from './store-error.ts';

/** The lock under which tables are changed; any number that others are unlikely to use. */
const MIGRATION_LOCK = 0x536d416c;

export interface PostgresLimits {
  readonly connections: number;
  readonly connectMs: number;
  /** How long one statement may take, and how long it may wait for a lock. */
  readonly statementMs: number;
}

/** Opens a pool of connections. It connects when it is asked for something, and again after every loss. */
export function openPostgres(
  place: PostgresPlace,
  limits: PostgresLimits,
  ignore: (error: unknown, why: string) => void,
): Engine {
  return new PostgresEngine(place, limits, ignore);
}

class PostgresEngine implements Engine {
  readonly kind = 'postgres';
  readonly #place: string;
  readonly #pool: Pool;
  readonly #ignore: (error: unknown, why: string) => void;
  /** Connections that were lent before: such a one may have died since without telling. */
  readonly #used = new WeakSet<PoolClient>();
  readonly #names = new Map<string, string>();
  #isClosed = false;

  constructor(place: PostgresPlace, limits: PostgresLimits, ignore: (error: unknown, why: string) => void) {
    this.#place = place.name;
    this.#ignore = ignore;
    this.#pool = new Pool(poolConfig(place, limits));
    this.#pool.on('error', (error) => ignore(error, 'an idle connection to PostgreSQL ended; the next one is new'));
  }

  async read<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#lend(use, signal);
  }

  async write<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#lend(async (session) => {
      await session.begin();
      try {
        const result = await use(session);
        signal.throwIfAborted();
        await session.commit();
        return result;
      } catch (error) {
        await session.rollBack();
        throw error;
      }
    }, signal);
  }

  async lockForMigration(session: EngineSession): Promise<void> {
    await session.run({ text: 'SELECT pg_advisory_xact_lock($1)', values: [MIGRATION_LOCK] });
  }

  async backup(): Promise<void> {
    throw new StoreError('unsupported', 'A PostgreSQL is backed up by its own tools: use pg_dump, or pg_basebackup');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  async #lend<Result>(use: (session: PostgresSession) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      const client = await this.#connect(signal);
      const isUsed = this.#used.has(client);
      this.#used.add(client);
      const session = new PostgresSession(client, { place: this.#place, names: this.#names, ignore: this.#ignore });
      const onAbort = (): void => session.destroy();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await use(session);
      } catch (error) {
        signal.throwIfAborted();
        const isStale = isUsed && isStoreError(error, 'unreachable') && !error.isFateUnknown;
        if (!isStale) throw error;
        this.#ignore(error, 'a connection to PostgreSQL had ended while it was idle; another one is used');
      } finally {
        signal.removeEventListener('abort', onAbort);
        session.release();
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<PoolClient> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new StoreError('closed', `The database ${this.#place} was closed`);
    const aborted = Promise.withResolvers<undefined>();
    const onAbort = (): void => aborted.resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    const connecting = this.#pool.connect();
    try {
      const client = await Promise.race([connecting, aborted.promise]);
      if (client) return client;
    } catch (error) {
      throw postgresError(error, this.#place);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    connecting.then(
      (client) => client.release(),
      (error: unknown) => this.#ignore(error, 'nobody waits for this connection to PostgreSQL any more'),
    );
    throw signal.reason;
  }
}

function poolConfig({ connection }: PostgresPlace, limits: PostgresLimits): PoolConfig {
  const { connections, connectMs, statementMs } = limits;
  return {
    ...connection,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    // A replica that stands still in a transaction must not hold up the others for longer.
    idle_in_transaction_session_timeout: statementMs,
    // The server ends a statement in time; this is for a server that is not there any more.
    query_timeout: statementMs + connectMs,
    types: storeTypes(),
  };
}

function storeTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  // Our whole numbers are times, numbers of records and counts: all of them safe.
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}
