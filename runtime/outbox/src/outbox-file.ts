import { chmodSync, closeSync, openSync } from 'node:fs';
import type * as sqliteModule from 'node:sqlite';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

import {
  isOver,
  itemBytes,
  type OutboxEntry,
  type OutboxGap,
  type OutboxGapReason,
  type OutboxLimits,
  type OutboxTotals,
} from './outbox-entry.ts';
import { OutboxError } from './outbox-error.ts';

export type Sqlite = typeof sqliteModule;

type Row = Readonly<Record<string, SQLOutputValue>>;

// "SmOb", so that `file` and we can tell our files from others.
const APPLICATION_ID = 0x536d4f62;
const FORMAT_VERSION = 1;
/** So many refused items are kept for people to look at. */
const MOST_SET_ASIDE = 100;

const FORMAT = `
  CREATE TABLE entry (
    sequence INTEGER PRIMARY KEY,
    first_sequence INTEGER NOT NULL,
    body TEXT,
    reason TEXT,
    is_expendable INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    stored_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX expendable ON entry (sequence) WHERE is_expendable = 1;
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE set_aside (
    id INTEGER PRIMARY KEY, epoch TEXT NOT NULL, sequence INTEGER NOT NULL, body TEXT NOT NULL, why TEXT NOT NULL
  ) STRICT;
`;

const REASONS: readonly OutboxGapReason[] = ['queue-full', 'refused', 'unsaved', 'damaged'];
const COLUMNS = 'sequence, first_sequence, body, reason, is_expendable, bytes, stored_at';
const EXPENDABLE = `SELECT ${COLUMNS} FROM entry WHERE is_expendable = 1 ORDER BY sequence LIMIT 1`;

/** What was given while the file could not be opened. */
export interface OutboxTakeover {
  readonly epoch: string;
  readonly entries: readonly OutboxEntry[];
  readonly lastSequence: number;
  /** Why something of before is in neither of the two. */
  readonly loss: Pick<OutboxGap, 'reason' | 'storedAt'> | undefined;
}

/** What is kept on disk. Every change is durable when its method returns, or has not happened when it throws. */
export class OutboxFile {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #totals: OutboxTotals;

  /** Opens the file, makes it if there is none, and takes a lock that no other process can share. */
  constructor(sqlite: Sqlite, path: string, newEpoch: string) {
    this.#sqlite = openFile(sqlite, path, newEpoch);
    const row = this.#get('SELECT count(body) AS items, coalesce(sum(bytes), 0) AS bytes FROM entry');
    this.#totals = { items: Number(row?.['items']), bytes: Number(row?.['bytes']) };
  }

  get totals(): OutboxTotals {
    return this.#totals;
  }

  get epoch(): string {
    return this.#fact('epoch');
  }

  /** The newest number that was given, as far as it was written down. */
  get lastSequence(): number {
    return Number(this.#fact('lastSequence'));
  }

  /** Adds entries at the end and makes room for them. Tells how many items had to go. */
  write(entries: readonly OutboxEntry[], lastSequence: number, limits: OutboxLimits): number {
    return this.#transaction(() => {
      for (const entry of entries) this.#insert(entry);
      this.#setFact('lastSequence', String(lastSequence));
      return this.#makeRoom(limits);
    });
  }

  /**
   * Goes on in an epoch that began without the file: its entries come first, what was in the file follows under the
   * numbers after them. What is expendable in it is out of date by now, and becomes a gap. Tells the newest number.
   */
  takeOver({ epoch, entries, lastSequence, loss }: OutboxTakeover): number {
    return this.#transaction(() => {
      for (let row = this.#get(EXPENDABLE); row !== undefined; row = this.#get(EXPENDABLE)) this.#drop(row, 'unsaved');
      const ends = this.#get(
        'SELECT coalesce(min(first_sequence), 1) AS first, coalesce(max(sequence), 0) AS last FROM entry',
      );
      const shift = lastSequence + 1 - Number(ends?.['first']);
      let last = Number(ends?.['last']) + shift;
      // By way of negative numbers: no two rows may have one number, not even while they are changed.
      this.#run('UPDATE entry SET sequence = -(sequence + ?1), first_sequence = first_sequence + ?1', shift);
      this.#run('UPDATE entry SET sequence = -sequence');
      if (loss !== undefined) {
        last++;
        this.#insert({ kind: 'gap', firstSequence: last, sequence: last, ...loss });
      }
      for (const entry of entries) this.#insert(entry);
      this.#setFact('epoch', epoch);
      this.#setFact('lastSequence', String(last));
      return last;
    });
  }

  setEpoch(epoch: string): void {
    this.#transaction(() => this.#setFact('epoch', epoch));
  }

  /** The entries after a number, oldest first. */
  *entriesAfter(sequence: number): Generator<OutboxEntry> {
    const statement = this.#prepare(`SELECT ${COLUMNS} FROM entry WHERE sequence > ? ORDER BY sequence`);
    for (const row of statement.iterate(sequence)) {
      const entry = toEntry(row);
      const reachesBack = entry.kind === 'gap' && entry.firstSequence <= sequence;
      yield reachesBack ? { ...entry, firstSequence: sequence + 1 } : entry;
    }
  }

  /** When the oldest entry after a number was stored. */
  oldestAfter(sequence: number): number | undefined {
    const row = this.#get('SELECT stored_at FROM entry WHERE sequence > ? ORDER BY sequence LIMIT 1', sequence);
    return row === undefined ? undefined : Number(row['stored_at']);
  }

  /** Forgets all numbers up to this one. */
  acknowledge(sequence: number): void {
    this.#transaction(() => {
      const sums = 'SELECT count(body) AS items, coalesce(sum(bytes), 0) AS bytes FROM entry WHERE sequence <= ?';
      const row = this.#get(sums, sequence);
      this.#run('DELETE FROM entry WHERE sequence <= ?', sequence);
      this.#run('UPDATE entry SET first_sequence = ?1 + 1 WHERE first_sequence <= ?1', sequence);
      this.#count(-Number(row?.['items']), -Number(row?.['bytes']));
    });
  }

  /** Puts one item where people can look at it, and a gap in its place. Tells whether there was such an item. */
  setAside(sequence: number, why: string): boolean {
    return this.#transaction(() => {
      const row = this.#get(`SELECT ${COLUMNS} FROM entry WHERE sequence = ? AND body IS NOT NULL`, sequence);
      if (row === undefined) return false;
      const insert = 'INSERT INTO set_aside (epoch, sequence, body, why) VALUES (?, ?, ?, ?)';
      this.#run(insert, this.epoch, sequence, String(row['body']), why);
      const prune = 'DELETE FROM set_aside WHERE id <= (SELECT max(id) FROM set_aside) - ?';
      this.#run(prune, MOST_SET_ASIDE);
      this.#drop(row, 'refused');
      return true;
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

  /** Lets go of the file as it is. */
  discard(): void {
    this.#sqlite.close();
  }

  #insert(entry: OutboxEntry): void {
    const sql = `INSERT INTO entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const { sequence, storedAt } = entry;
    if (entry.kind === 'gap') {
      this.#run(sql, sequence, entry.firstSequence, null, entry.reason, 0, 0, storedAt);
      return;
    }
    const bytes = itemBytes(entry.body);
    this.#run(sql, sequence, sequence, entry.body, null, Number(entry.isExpendable), bytes, storedAt);
    this.#count(1, bytes);
  }

  #makeRoom(limits: OutboxLimits): number {
    let dropped = 0;
    const oldest = `SELECT ${COLUMNS} FROM entry WHERE body IS NOT NULL ORDER BY sequence LIMIT 1`;
    while (isOver(this.#totals, limits)) {
      const row = this.#get(EXPENDABLE) ?? this.#get(oldest);
      if (row === undefined) break;
      this.#drop(row, 'queue-full');
      dropped++;
    }
    return dropped;
  }

  /** Puts a gap in the place of an item; gaps that touch and have one reason become one. */
  #drop(row: Row, reason: OutboxGapReason): void {
    const sequence = Number(row['sequence']);
    const isAlike = (other: Row | undefined): other is Row => other?.['body'] === null && other['reason'] === reason;
    const before = this.#get(
      `SELECT ${COLUMNS} FROM entry WHERE sequence < ? ORDER BY sequence DESC LIMIT 1`,
      sequence,
    );
    const after = this.#get(`SELECT ${COLUMNS} FROM entry WHERE sequence > ? ORDER BY sequence LIMIT 1`, sequence);
    const first = isAlike(before) ? Number(before['first_sequence']) : sequence;
    if (isAlike(before)) this.#run('DELETE FROM entry WHERE sequence = ?', Number(before['sequence']));
    if (isAlike(after)) {
      this.#run('DELETE FROM entry WHERE sequence = ?', sequence);
      this.#run('UPDATE entry SET first_sequence = ? WHERE sequence = ?', first, Number(after['sequence']));
    } else {
      const update =
        'UPDATE entry SET first_sequence = ?, body = NULL, reason = ?, is_expendable = 0, bytes = 0 WHERE sequence = ?';
      this.#run(update, first, reason, sequence);
    }
    this.#count(-1, -Number(row['bytes']));
  }

  #count(items: number, bytes: number): void {
    this.#totals = { items: this.#totals.items + items, bytes: this.#totals.bytes + bytes };
  }

  #fact(name: string): string {
    const row = this.#get('SELECT value FROM fact WHERE name = ?', name);
    if (row === undefined) throw new OutboxError('damaged', `there is no ${name} in it`);
    return String(row['value']);
  }

  #setFact(name: string, value: string): void {
    this.#run('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value);
  }

  #transaction<Result>(change: () => Result): Result {
    const totals = this.#totals;
    this.#sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      this.#totals = totals;
      // SQLite ends the transaction by itself after some errors, a full disk among them.
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  #get(sql: string, ...values: readonly number[] | readonly string[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  #run(sql: string, ...values: readonly (number | string | null)[]): void {
    this.#prepare(sql).run(...values);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

function toEntry(row: Row): OutboxEntry {
  const sequence = Number(row['sequence']);
  const storedAt = Number(row['stored_at']);
  const body = row['body'];
  if (typeof body === 'string') {
    return { kind: 'item', sequence, body, isExpendable: row['is_expendable'] === 1, storedAt };
  }
  const reason = REASONS.find((known) => known === row['reason']);
  if (reason === undefined)
    throw new OutboxError('damaged', `the gap at ${sequence} has the reason ${String(row['reason'])}`);
  return { kind: 'gap', firstSequence: Number(row['first_sequence']), sequence, reason, storedAt };
}

function openFile(sqlite: Sqlite, path: string, newEpoch: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new sqlite.DatabaseSync(path);
  try {
    // Exclusive locking comes first: it also keeps the index of the write-ahead log out of shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec('PRAGMA cache_size = -1000; PRAGMA journal_size_limit = 4194304;');
    database.exec('BEGIN EXCLUSIVE; COMMIT;');
    prepareFormat(database, newEpoch);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareFormat(database: DatabaseSync, newEpoch: string): void {
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables']);
  if (tables === 0) {
    database.exec(`BEGIN; ${FORMAT} PRAGMA application_id = ${APPLICATION_ID};`);
    database.exec(`PRAGMA user_version = ${FORMAT_VERSION};`);
    database.prepare("INSERT INTO fact VALUES ('epoch', ?), ('lastSequence', '0')").run(newEpoch);
    database.exec('COMMIT');
    return;
  }
  const applicationId = database.prepare('PRAGMA application_id').get()?.['application_id'];
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (applicationId !== APPLICATION_ID || version !== FORMAT_VERSION) {
    throw new OutboxError('damaged', `it is not an outbox of format ${FORMAT_VERSION}`);
  }
  const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (check !== 'ok') throw new OutboxError('damaged', String(check));
}
