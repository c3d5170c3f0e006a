import { chmodSync, closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

import { backupSqlite } from './backup-sqlite.ts';
import { checkText } from './check-text.ts';
import type { Engine, EngineSession, Statement, StatementResult, StoreRow } from './engine.ts';
import { sqliteError } from './sqlite-error.ts';
import { StoreError } from './store-error.ts';
import { TurnTaker } from './turn-taker.ts';

const MOST_PREPARED = 300;
/** SQLite waits in our thread, so this is how long everything may stand still because of another process. */
const BUSY_TIMEOUT_MS = 1000;

const SETTINGS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`;

/** Opens a file, and makes it if there is none; only its owner may read it. */
export async function openSqlite(path: string): Promise<Engine> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    return new SqliteEngine(path);
  } catch (error) {
    throw sqliteError(error, path);
  }
}

/** One connection in our own thread: a statement is done when its call returns. */
class SqliteEngine implements Engine, EngineSession {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #turns = new TurnTaker();
  readonly #prepared = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path);
    try {
      this.#database.exec(SETTINGS);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  async run({ text, values }: Statement): Promise<StatementResult> {
    try {
      return this.#run(text, values);
    } catch (error) {
      throw sqliteError(error, this.#path);
    }
  }

  async read<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#turns.take(() => {
      this.#checkOpen();
      return use(this);
    }, signal);
  }

  async write<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#turns.take(async () => {
      this.#checkOpen();
      try {
        this.#database.exec('BEGIN IMMEDIATE');
        const result = await use(this);
        signal.throwIfAborted();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite ends the transaction by itself after some errors, a full disk among them.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw sqliteError(error, this.#path);
      }
    }, signal);
  }

  async lockForMigration(): Promise<void> {
    // BEGIN IMMEDIATE has done that.
  }

  async backup(path: string, signal: AbortSignal): Promise<void> {
    this.#checkOpen();
    await backupSqlite(this.#path, path, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.take(async () => {
      if (!this.#database.isOpen) return;
      this.#prepared.clear();
      try {
        this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        throw sqliteError(error, this.#path);
      } finally {
        this.#database.close();
      }
    }, new AbortController().signal);
  }

  #checkOpen(): void {
    if (!this.#database.isOpen) throw new StoreError('closed', `The database ${this.#path} was closed`);
  }

  #run(text: string, values: readonly unknown[]): StatementResult {
    const statement = this.#prepare(text);
    const inputs = values.map(toInput);
    if (statement.columns().length === 0) return { rows: [], count: Number(statement.run(...inputs).changes) };
    // Only texts and numbers are ever put in, and SQLite gives back what was put in.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const rows = statement.all(...inputs) as readonly StoreRow[];
    return { rows, count: rows.length };
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear();
    const statement = this.#database.prepare(text);
    this.#prepared.set(text, statement);
    return statement;
  }
}

function toInput(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  checkText(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  throw new StoreError('invalid-value', `A value of the type ${typeof value} cannot be stored`);
}
