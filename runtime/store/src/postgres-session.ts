import { createHash } from 'node:crypto';

import type { PoolClient } from 'pg';

import type { EngineSession, Statement, StatementResult, StoreRow } from './engine.ts';
import { postgresError } from './postgres-error.ts';
import { isStoreError, StoreError } from './store-error.ts';

const MOST_NAMES = 300;
// A commit that was answered must outlive the server, also where its default is to hope.
const DURABLE_COMMITS =
  "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'";

export interface PostgresSessionContext {
  readonly place: string;
  /** The names of prepared statements by their text; the same for all connections. */
  readonly names: Map<string, string>;
  readonly ignore: (error: unknown, why: string) => void;
}

/** A connection while it is lent. One that has failed is not used again. */
export class PostgresSession implements EngineSession {
  readonly #client: PoolClient;
  readonly #context: PostgresSessionContext;
  #isReleased = false;
  #isBroken = false;

  constructor(client: PoolClient, context: PostgresSessionContext) {
    this.#client = client;
    this.#context = context;
    // Without a listener a connection that ends between two statements would end the process.
    client.on('error', this.#onError);
  }

  async run({ text, values, isFrequent = false }: Statement): Promise<StatementResult> {
    try {
      const name = isFrequent ? this.#nameOf(text) : undefined;
      const result = await this.#client.query<StoreRow>({ text, values: [...values], ...(name && { name }) });
      return { rows: result.rows, count: result.rowCount ?? 0 };
    } catch (error) {
      throw this.#noted(error);
    }
  }

  async begin(): Promise<void> {
    await this.run({ text: 'BEGIN', values: [] });
    await this.run({ text: DURABLE_COMMITS, values: [], isFrequent: true });
  }

  async commit(): Promise<void> {
    let command: string;
    try {
      ({ command } = await this.#client.query('COMMIT'));
    } catch (cause) {
      const error = this.#noted(cause);
      if (!isStoreError(error) || !this.#isBroken) throw error;
      throw new StoreError(error.code, `${error.message}; it is not known whether the change was made`, {
        cause,
        isFateUnknown: true,
      });
    }
    // The server answers so when a statement before has failed.
    if (command !== 'COMMIT') throw new StoreError('failed', `The database ${this.#context.place} undid the change`);
  }

  async rollBack(): Promise<void> {
    if (this.#isBroken || this.#isReleased) return;
    try {
      await this.#client.query('ROLLBACK');
    } catch (error) {
      this.#isBroken = true;
      this.#context.ignore(error, 'a transaction is undone by the end of its connection too');
    }
  }

  /** Gives the connection back, or ends it when it cannot be trusted. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.off('error', this.#onError);
    this.#client.release(this.#isBroken);
  }

  /** Ends the connection at once; what runs on it fails. */
  destroy(): void {
    this.#isBroken = true;
    this.release();
  }

  readonly #onError = (error: Error): void => {
    this.#isBroken = true;
    this.#context.ignore(error, 'a connection to PostgreSQL ended; the next statement tells');
  };

  #noted(error: unknown): unknown {
    const isWordOfServer = error instanceof Error && 'severity' in error;
    const isUsable = isWordOfServer && error.severity === 'ERROR';
    if (!isUsable) this.#isBroken = true;
    return postgresError(error, this.#context.place);
  }

  #nameOf(text: string): string | undefined {
    const { names } = this.#context;
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMES) return known;
    const name = `smalt_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    names.set(text, name);
    return name;
  }
}
