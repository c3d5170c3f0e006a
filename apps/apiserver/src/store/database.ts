import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { StoreError } from './store-error.ts';
import type { StoreEvent } from './store-event.ts';

// "Smlt", so that `file` and we can tell our files from others.
const APPLICATION_ID = 0x536d6c74;
const FORMAT_VERSION = 2;
const PAGE_BYTES = 4096;
// Only if nobody called for it before: SQLite would do it within a commit.
const MAX_LOG_PAGES = 4000;

/** A row of the table of counters that only a copy has which was not opened yet. */
const COPY = 'copy';
const NEWEST_OF_OBJECTS = `
  SELECT resource_version FROM (SELECT max(resource_version) AS resource_version, type FROM event GROUP BY resource, key)
  WHERE type <> 'DELETED'
`;

const FORMAT = `
  CREATE TABLE event (
    resource_version INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    time INTEGER NOT NULL,
    object BLOB NOT NULL,
    form INTEGER
  ) STRICT;
  CREATE TABLE compaction (resource TEXT PRIMARY KEY, resource_version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Stands for every resource where it is said how far the past reaches back. */
export const ALL_RESOURCES = '';

/** A row of the log of all changes, oldest first. */
export interface EventRow {
  readonly resourceVersion: number;
  readonly resource: string;
  readonly key: string;
  readonly type: StoreEvent['type'];
  readonly time: number;
  readonly byteLength: number;
  readonly form: number | undefined;
}

/** What one transaction does: adds events, and forgets old ones. */
export interface Transaction {
  readonly events: readonly StoreEvent[];
  readonly forgotten: readonly number[];
  readonly compactedTo: ReadonlyMap<string, number>;
  /** The newest resourceVersion that was ever given out. */
  readonly resourceVersion: number;
}

/**
 * The file. It holds one table that only grows at its end, the log of all changes; the newest event of an object is the
 * object. Opening it takes a lock that no other process can share.
 */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #compact: StatementSync;
  readonly #count: StatementSync;
  readonly #read: StatementSync;
  #logPages = 0;

  constructor(path: string) {
    this.#sqlite = openFile(path);
    this.#insert = this.#sqlite.prepare(
      'INSERT INTO event (resource_version, resource, key, type, time, object, form) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#remove = this.#sqlite.prepare('DELETE FROM event WHERE resource_version = ?');
    this.#compact = this.#sqlite.prepare(
      'INSERT INTO compaction VALUES (?, ?) ON CONFLICT DO UPDATE SET resource_version = excluded.resource_version',
    );
    this.#count = this.#sqlite.prepare(
      "INSERT INTO counter VALUES ('resourceVersion', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
    this.#read = this.#sqlite.prepare('SELECT object FROM event WHERE resource_version = ?');
  }

  /** Every event that is kept, oldest first. The objects themselves stay where they are until they are read. */
  *events(): Generator<EventRow> {
    const statement = this.#sqlite.prepare(
      'SELECT resource_version, resource, key, type, time, length(object), form FROM event ORDER BY resource_version',
    );
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) {
      if (!Array.isArray(row)) throw new StoreError('damaged', 'a row of the store has no columns');
      const [resourceVersion, resource, key, type, time, byteLength, form]: readonly unknown[] = row;
      yield {
        resourceVersion: Number(resourceVersion),
        resource: String(resource),
        key: String(key),
        type: eventType(type),
        time: Number(time),
        byteLength: Number(byteLength),
        form: typeof form === 'number' ? form : undefined,
      };
    }
  }

  compactions(): ReadonlyMap<string, number> {
    const rows = this.#sqlite.prepare('SELECT resource, resource_version FROM compaction').all();
    return new Map(rows.map((row) => [String(row['resource']), Number(row['resource_version'])]));
  }

  /** The newest resourceVersion, as far as it was written down apart from the events. */
  resourceVersion(): number {
    const row = this.#sqlite.prepare("SELECT value FROM counter WHERE name = 'resourceVersion'").get();
    return Number(row?.['value'] ?? 0);
  }

  readObject(resourceVersion: number): Buffer {
    const row = this.#read.get(resourceVersion);
    if (row === undefined) throw new StoreError('damaged', `resourceVersion ${resourceVersion} is not in the store`);
    return blob(row['object']);
  }

  /** About how many pages the log has grown by since it was last moved into the file. */
  get logPages(): number {
    return this.#logPages;
  }

  /**
   * Moves the log into the file, which takes as long as many commits. Nothing is lost when it throws, for lack of room
   * for example: the log goes on, and counts from zero.
   */
  checkpoint(): void {
    this.#logPages = 0;
    this.#sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Does all of it durably, or nothing: then it throws. */
  commit(transaction: Transaction): void {
    this.#inTransaction(() => {
      for (const event of transaction.events) {
        const { resourceVersion, resource, type, time, object } = event;
        this.#insert.run(resourceVersion, resource, object.key, type, time, object.bytes, object.form ?? null);
      }
      for (const resourceVersion of transaction.forgotten) this.#remove.run(resourceVersion);
      for (const [resource, resourceVersion] of transaction.compactedTo) this.#compact.run(resource, resourceVersion);
      // Forgetting may remove the newest event of all; the counter must not go back with it.
      if (transaction.forgotten.length > 0) this.#count.run(transaction.resourceVersion);
    });
    this.#logPages += pagesOf(transaction);
  }

  #inTransaction(work: () => void): void {
    this.#sqlite.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      // SQLite ends the transaction by itself after some errors, a full disk among them.
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  /** Stores the newest resourceVersion, which is a small write like any other. */
  writeCounter(resourceVersion: number): void {
    this.#count.run(resourceVersion);
  }

  /** Writes a copy of the whole store, consistent in itself, to a file that does not exist yet. */
  backUp(path: string): void {
    closeSync(openSync(path, 'wx', 0o600));
    this.#sqlite.prepare('VACUUM INTO ?').run(path);
    const copy = new DatabaseSync(path);
    try {
      copy.prepare('INSERT OR IGNORE INTO counter VALUES (?, 1)').run(COPY);
    } finally {
      copy.close();
    }
  }

  /**
   * Makes a copy that is opened for the first time go on with versions that are newer than all that may have been seen since
   * it was made, and forget the past: whoever has watched the store before is told to list again.
   */
  renumberCopy(now: number): void {
    if (this.#sqlite.prepare('SELECT 1 FROM counter WHERE name = ?').get(COPY) === undefined) return;
    const row = this.#sqlite.prepare('SELECT max(resource_version) AS newest FROM event').get();
    // A version for each millisecond is more than anybody writes, so that a copy that is put back twice has new ones each time.
    const resourceVersion = Math.max(this.resourceVersion(), Number(row?.['newest'] ?? 0)) + now;
    this.#inTransaction(() => {
      this.#sqlite.exec(`DELETE FROM event WHERE resource_version NOT IN (${NEWEST_OF_OBJECTS})`);
      this.#sqlite.prepare('UPDATE compaction SET resource_version = ?').run(resourceVersion);
      this.#compact.run(ALL_RESOURCES, resourceVersion);
      this.#count.run(resourceVersion);
      this.#sqlite.prepare('DELETE FROM counter WHERE name = ?').run(COPY);
    });
  }

  /** Lets go of the file, also when it throws because the disk has no room to tidy up; nothing is lost then. */
  close(): void {
    try {
      this.#sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.#sqlite.close();
    }
  }
}

// An estimate: each row has a page of the table to itself, or more, and what is above it in the tree is written once.
function pagesOf({ events, forgotten }: Transaction): number {
  const written = events.reduce((sum, { object }) => sum + Math.ceil(object.byteLength / PAGE_BYTES), 0);
  return written + forgotten.length + 2;
}

function openFile(path: string): DatabaseSync {
  let sqlite: DatabaseSync | undefined;
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    sqlite = new DatabaseSync(path);
    // Exclusive locking comes first: it also keeps the index of the write-ahead log out of shared memory.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    sqlite.exec(`PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES}; PRAGMA cache_size = -2000;`);
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT;');
    prepareFormat(sqlite, path);
    return sqlite;
  } catch (error) {
    if (sqlite?.isOpen === true) sqlite.close();
    throw explainOpening(error, path);
  }
}

function prepareFormat(sqlite: DatabaseSync, path: string): void {
  const applicationId = pragma(sqlite, 'application_id');
  const version = pragma(sqlite, 'user_version');
  const tables = Number(sqlite.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables']);
  if (applicationId === 0 && version === 0 && tables === 0) {
    sqlite.exec(
      `BEGIN; ${FORMAT} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; COMMIT;`,
    );
    return;
  }
  if (applicationId !== APPLICATION_ID) throw new StoreError('foreign', `${path} is not a store of the API server`);
  if (version > FORMAT_VERSION) {
    throw new StoreError('newer', `${path} has format ${version}, this version reads up to ${FORMAT_VERSION}`);
  }
  if (version === 1) sqlite.exec(`BEGIN; ALTER TABLE event ADD COLUMN form INTEGER; PRAGMA user_version = 2; COMMIT;`);
}

function pragma(sqlite: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function explainOpening(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/database is locked|busy/.test(message)) {
    return new StoreError('locked', `${path} is in use by another process`, { cause: error });
  }
  if (/malformed/.test(message)) return new StoreError('damaged', `${path} is damaged: ${message}`, { cause: error });
  if (/not a database/.test(message)) return new StoreError('foreign', `${path}: ${message}`, { cause: error });
  return new StoreError('unreachable', `cannot open ${path}: ${message}`, { cause: error });
}

function eventType(value: unknown): StoreEvent['type'] {
  if (value === 'ADDED' || value === 'MODIFIED' || value === 'DELETED') return value;
  throw new StoreError('damaged', `an event of the unknown type ${String(value)} is in the store`);
}

function blob(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) throw new StoreError('damaged', 'an object in the store is not made of bytes');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
