import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from './database.ts';
import { noteMigrations, type NoteSchema } from './fixtures/database-bed.ts';
import { openDatabase } from './open-database.ts';

const { signal } = new AbortController();
const isRoot = process.getuid?.() === 0;

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'store-'));
  path = join(directory, 'store.db');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('a file', () => {
  it('can be read by its owner alone, also one that was made for all', async () => {
    writeFileSync(path, '', { mode: 0o666 });

    await using database = await open();
    await add(database, 1);

    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes).toEqual(modes.map(() => 0o600));
  });

  it.each([
    { what: 'is no database', code: 'corrupt', make: () => writeFileSync(path, 'no database at all'.repeat(1000)) },
    {
      what: 'is of another program',
      code: 'foreign-schema',
      make: () => new DatabaseSync(path).exec('CREATE TABLE a (b)'),
    },
    { what: 'is a directory', code: 'unreachable', make: () => execFileSync('mkdir', [path]) },
  ])('that $what is refused and left alone', async ({ code, make }) => {
    make();

    await expect(open()).rejects.toMatchObject({ code, message: expect.stringMatching(/database/i) });
  });

  it('that another process holds for too long is busy, and nothing was done', async () => {
    await using database = await open();
    using other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');

    await expect(add(database, 1)).rejects.toMatchObject({ code: 'busy', isFateUnknown: false });
    other.exec('ROLLBACK');

    await add(database, 1);
    expect(await count(database)).toBe(1);
  });

  it.runIf(isRoot)('on a full disk tells so, loses nothing, and goes on when there is room', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=700', 'tmpfs', directory]);
    try {
      await using database = await open();
      await add(database, 1);
      const filler = join(directory, 'filler');
      fill(filler);

      const error: unknown = await addUntilItFails(database).catch((reason: unknown) => reason);
      const before = await count(database);
      rmSync(filler);
      await add(database, 1_000_000);

      expect(error).toMatchObject({ code: 'full-disk', isFateUnknown: false });
      expect(await count(database)).toBe(before + 1);
    } finally {
      execFileSync('umount', ['--lazy', directory]);
    }
  });
});

describe('a backup', () => {
  it('holds what was committed when it began, is for its owner alone, and replaces the one before', async () => {
    await using database = await open();
    await add(database, 1);
    const copy = join(directory, 'copy.db');
    writeFileSync(copy, 'an older one', { mode: 0o644 });

    await database.backup(copy, signal);
    await add(database, 2);

    expect(statSync(copy).mode & 0o777).toBe(0o600);
    using restored = new DatabaseSync(copy);
    expect(restored.prepare('SELECT count(*) AS count FROM note').get()?.['count']).toBe(1);
    expect(readdirSync(directory).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('does not see half of a transaction that is under way', async () => {
    await using database = await open();
    const copy = join(directory, 'copy.db');

    await database.transaction(async (session) => {
      await session.change(session.queries.insertInto('note').values({ id: 1, text: '', weight: 1 }));
      await database.backup(copy, signal);
    }, signal);

    using restored = new DatabaseSync(copy);
    expect(restored.prepare('SELECT count(*) AS count FROM note').get()?.['count']).toBe(0);
  });

  it('that cannot be made leaves the one before as it was', async () => {
    await using database = await open();
    const place = join(directory, 'absent', 'copy.db');

    await expect(database.backup(place, signal)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(database.backup(join(directory, 'c'), AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
    expect(readdirSync(directory)).not.toContain('c');
  });
});

function open(): Promise<Database<NoteSchema>> {
  const location = { kind: 'sqlite', path } as const;
  return openDatabase<NoteSchema>({ location, migrations: noteMigrations, ignore: () => undefined }, signal);
}

async function add(database: Database<NoteSchema>, id: number): Promise<void> {
  const row = { id, text: 'x'.repeat(2000), weight: 1 };
  await database.transaction((session) => session.change(session.queries.insertInto('note').values(row)), signal);
}

async function addUntilItFails(database: Database<NoteSchema>): Promise<never> {
  for (let id = 2; ; id++) await add(database, id);
}

async function count(database: Database<NoteSchema>): Promise<number> {
  const rows = await database.read((session) => session.all(session.queries.selectFrom('note').select('id')), signal);
  return rows.length;
}

function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4096));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
