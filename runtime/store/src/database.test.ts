import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bulkStatement } from './bulk-statement.ts';
import type { Database } from './database.ts';
import type { EngineKind } from './engine.ts';
import { noteMigrations, openDatabaseBed, type DatabaseBed, type NoteSchema } from './fixtures/database-bed.ts';
import type { Migration } from './migrate.ts';
import { openDatabase } from './open-database.ts';

const KINDS: readonly EngineKind[] = ['sqlite', 'postgres'];
const { signal } = new AbortController();

describe.each(KINDS)('a database of %s', (kind) => {
  let bed: DatabaseBed;
  let database: Database<NoteSchema>;

  beforeAll(async () => {
    bed = await openDatabaseBed(kind);
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    database = await open();
  });

  afterEach(async () => {
    await database.transaction((session) => session.change(session.queries.deleteFrom('note')), signal);
    await database[Symbol.asyncDispose]();
  });

  it('gives back what was stored, of the same types', async () => {
    const notes = [
      { id: Number.MAX_SAFE_INTEGER, text: 'Zürich "\' \\ \n {a,b} 🙂', weight: 1_700_000_000_000.25 },
      { id: 0, text: null, weight: -1 },
    ];

    await add(...notes);

    expect(await list()).toEqual(notes.toReversed());
  });

  it('stores and finds many rows by one statement', async () => {
    const insert = bulkStatement(
      { id: 'integer', text: 'text', weight: 'number' },
      (incoming) => `INSERT INTO note (id, text, weight) SELECT id, text, weight FROM ${incoming} WHERE true
        ON CONFLICT (id) DO UPDATE SET text = excluded.text RETURNING id`,
    );
    const rows = Array.from({ length: 3000 }, (_, id) => [id, id % 2 === 0 ? null : `{"${id}\\,`, id / 4] as const);

    const returned = await database.transaction((session) => session.bulk(insert, rows), signal);
    const none = await database.transaction((session) => session.bulk(insert, []), signal);

    expect([returned.length, none.length]).toEqual([3000, 0]);
    expect((await list()).map(({ id, text, weight }) => [id, text, weight])).toEqual(rows);
  });

  it('undoes all of a transaction that fails, and goes on', async () => {
    const failing = database.transaction(async (session) => {
      await session.change(session.queries.insertInto('note').values(note(1)));
      throw new Error('no');
    }, signal);

    await expect(failing).rejects.toThrow('no');
    await add(note(2));
    expect((await list()).map(({ id }) => id)).toEqual([2]);
  });

  it('undoes a transaction whose caller gives up, and tells him his own reason', async () => {
    const controller = new AbortController();
    const reason = new Error('given up');

    const given = database.transaction(async (session) => {
      await session.change(session.queries.insertInto('note').values(note(1)));
      controller.abort(reason);
    }, controller.signal);

    await expect(given).rejects.toBe(reason);
    expect(await list()).toEqual([]);
    await expect(database.read(async () => 1, controller.signal)).rejects.toBe(reason);
  });

  it('shows nobody what is not committed', async () => {
    const written = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    const writing = database.transaction(async (session) => {
      await session.change(session.queries.insertInto('note').values(note(1)));
      written.resolve();
      // SQLite has one connection: there the reader waits for us instead.
      if (kind === 'postgres') await seen.promise;
    }, signal);
    await written.promise;

    const rows = await list();
    seen.resolve();
    await writing;

    expect(rows).toHaveLength(kind === 'postgres' ? 0 : 1);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    { what: 'a key that is there', code: 'duplicate', row: { id: 1, text: 'secret-value', weight: 1 } },
    { what: 'a text with a NUL', code: 'invalid-value', row: { id: 2, text: 'a\0b', weight: 1 } },
    // oxlint-disable-next-line typescript/no-explicit-any
    { what: 'nothing where something must be', code: 'invalid-value', row: { id: 3, text: '', weight: null as any } },
  ])('refuses $what, without telling the value', async ({ code, row }) => {
    await add(note(1));

    const error: unknown = await add(row).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ name: 'StoreError', code, isFateUnknown: false });
    expect(String(error)).not.toContain('secret-value');
    expect((await list()).map(({ id }) => id)).toEqual([1]);
  });

  it('brings its tables up to date once, whoever comes at the same time', async () => {
    const second = [...noteMigrations, migration(2, 'more', 'CREATE TABLE more (id BIGINT)')];

    const all = await Promise.all(Array.from({ length: 4 }, () => open(second)));

    for (const each of all) await each[Symbol.asyncDispose]();
    await expect(open()).rejects.toMatchObject({ code: 'newer-schema', message: expect.stringContaining('newer') });
    await expect(open([migration(1, 'others', ''), second[1] ?? migration(2, '', '')])).rejects.toMatchObject({
      code: 'foreign-schema',
    });
    // The other tests know one migration.
    await database.transaction(
      (session) => session.run(same('DELETE FROM schema_migration WHERE number = 2'), []),
      signal,
    );
    await database.transaction((session) => session.run(same('DROP TABLE more'), []), signal);
  });

  it('leaves the tables as they were when a migration fails', async () => {
    const broken = [...noteMigrations, migration(2, 'broken', 'CREATE TABLE half (id BIGINT)', 'CREATE NONSENSE')];

    await expect(open(broken)).rejects.toMatchObject({ code: 'failed' });

    await using again = await open([...noteMigrations, migration(2, 'whole', 'CREATE TABLE half (id BIGINT)')]);
    await again.transaction((session) => session.run(same('DROP TABLE half'), []), signal);
    await again.transaction(
      (session) => session.run(same('DELETE FROM schema_migration WHERE number = 2'), []),
      signal,
    );
  });

  it('says so when it was closed', async () => {
    const closed = await open();
    await closed[Symbol.asyncDispose]();
    await closed[Symbol.asyncDispose]();

    await expect(closed.read(async () => 1, signal)).rejects.toMatchObject({ code: 'closed' });
  });

  function open(migrations: readonly Migration[] = noteMigrations): Promise<Database<NoteSchema>> {
    return openDatabase<NoteSchema>({ location: bed.location, migrations, ignore: () => undefined }, signal);
  }

  async function add(...notes: readonly NoteSchema['note'][]): Promise<void> {
    await database.transaction((session) => session.change(session.queries.insertInto('note').values(notes)), signal);
  }

  async function list(): Promise<readonly NoteSchema['note'][]> {
    const rows = await database.read(
      (session) => session.all(session.queries.selectFrom('note').selectAll().orderBy('id')),
      signal,
    );
    return rows.map(({ id, text, weight }) => ({ id, text, weight }));
  }
});

function note(id: number): NoteSchema['note'] {
  return { id, text: 'a', weight: 1 };
}

function migration(number: number, name: string, ...statements: readonly string[]): Migration {
  return { number, name, statements: () => statements };
}

function same(text: string) {
  return { sqlite: text, postgres: text };
}
