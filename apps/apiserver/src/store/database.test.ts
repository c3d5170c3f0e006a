import { mkdtemp, open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { JsonObject } from '@smalt/json';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Database } from './database.ts';
import { isStoreError } from './store-error.ts';
import { openStore, type Store } from './store.ts';

const MACHINES = 'machines.example.dev';

// What the first version wrote into a new file.
const FIRST_FORMAT = `
  CREATE TABLE event (
    resource_version INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    time INTEGER NOT NULL,
    object BLOB NOT NULL
  ) STRICT;
  CREATE TABLE compaction (resource TEXT PRIMARY KEY, resource_version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = 0x536d6c74;
  PRAGMA user_version = 1;
`;

let directory: string;
const opened: Store[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await rm(directory, { recursive: true });
});

describe('the file', () => {
  it('can be read by its owner alone', async () => {
    await put(open(), 'default/a');

    const modes = await Promise.all(['store.db', 'store.db-wal'].map(async (name) => stat(join(directory, name))));

    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('cannot be opened twice', () => {
    open();

    expect(refusal()).toBe('locked');
  });

  it('of another program is left alone', async () => {
    const other = new DatabaseSync(join(directory, 'store.db'));
    other.exec('CREATE TABLE things (name TEXT)');
    other.close();

    expect(refusal()).toBe('foreign');
    await writeFile(
      join(directory, 'store.db'),
      'not a database at all, but long enough to be read as one'.repeat(100),
    );
    expect(refusal()).toBe('foreign');
  });

  it('of the first version is taken over, carries the format of today and keeps the forms of objects', async () => {
    const file = new DatabaseSync(join(directory, 'store.db'));
    file.exec(FIRST_FORMAT);
    const bytes = Buffer.from(JSON.stringify({ ...machine('a', {}), metadata: { name: 'a', resourceVersion: '7' } }));
    file.prepare('INSERT INTO event VALUES (7, ?, ?, ?, 0, ?)').run(MACHINES, 'default/a', 'ADDED', bytes);
    file.close();

    const store = open();
    const object = machine('b', {});
    await store.write({ resource: MACHINES, key: 'default/b', expected: undefined, object, form: 2 ** 47 + 1 });
    store.close();

    expect(formatOf('store.db')).toBe(2);
    expect(
      open()
        .range(MACHINES)
        .map(({ key, resourceVersion, form }) => [key, resourceVersion, form]),
    ).toEqual([
      ['default/a', 7, undefined],
      ['default/b', 8, 2 ** 47 + 1],
    ]);
  });

  it('that is new carries the format of today', () => {
    open().close();

    expect(formatOf('store.db')).toBe(2);
  });

  it('is let go of, also when it cannot be tidied up', async () => {
    const store = open();
    await put(store, 'default/a');
    store.close();
    const database = new Database(join(directory, 'store.db'));
    // A reader that is not done keeps the write-ahead log from being emptied, as a full disk does.
    database.events().next();

    expect(() => database.close()).toThrow('locked');

    expect(refusal()).toBeUndefined();
  });

  it('of a newer version is left alone', () => {
    open().close();
    const file = new DatabaseSync(join(directory, 'store.db'));
    file.exec('PRAGMA user_version = 99');
    file.close();

    expect(refusal()).toBe('newer');
  });

  it('that is damaged is refused, not repaired', async () => {
    const store = open();
    for (let count = 0; count < 50; count++) await put(store, `default/m${count}`, { padding: 'x'.repeat(500) });
    store.close();
    const file = await openFile(join(directory, 'store.db'), 'r+');
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, 4096);
    await file.close();

    expect(refusal()).toBe('damaged');
  });

  it('takes up what its log holds when nothing is written for a moment', async () => {
    const store = open();
    const file = join(directory, 'store.db');
    const before = (await stat(file)).size;

    for (let batch = 0; batch < 3; batch++) {
      const writes = Array.from({ length: 100 }, (_, number) => put(store, `default/${batch}-${number}`));
      await Promise.all(writes);
    }

    await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(before);
  });

  it('can be copied while it is in use', async () => {
    const store = open();
    await put(store, 'default/a');

    store.backUp(join(directory, 'copy.db'));
    await put(store, 'default/b');

    expect(
      open('copy.db')
        .range(MACHINES)
        .map(({ key }) => key),
    ).toEqual(['default/a']);
  });

  it('is told apart from its copy by all versions that are written there, also by who has seen more since', async () => {
    const store = open();
    for (const key of ['default/a', 'default/gone']) await put(store, key);
    await put(store, 'default/a', { size: 2 });
    const gone = { resource: MACHINES, key: 'default/gone', expected: store.get(MACHINES, 'default/gone') };
    await store.write({ ...gone, object: undefined });
    store.backUp(join(directory, 'copy.db'));
    for (let count = 0; count < 20; count++) await put(store, `default/lost-${count}`);
    const seen = store.durableResourceVersion;

    const first = open('copy.db');
    await put(first, 'default/b');
    const written = first.durableResourceVersion;
    first.close();
    const again = open('copy.db');
    await put(again, 'default/c');

    expect(again.range(MACHINES).map(({ value }) => [value['metadata'], value['spec']])).toMatchObject([
      [{ name: 'a', resourceVersion: '3' }, { size: 2 }],
      [{ name: 'b' }, {}],
      [{ name: 'c' }, {}],
    ]);
    expect(['machines.example.dev', 'others.example.dev'].map((each) => again.eventsAfter(each, seen))).toEqual([
      undefined,
      undefined,
    ]);
    expect(again.eventsAfter(MACHINES, written)?.map(({ object }) => object.key)).toEqual(['default/c']);
  });

  it('gives each opening of one copy other versions', async () => {
    const store = open();
    await put(store, 'default/a');
    for (const name of ['one.db', 'two.db']) store.backUp(join(directory, name));

    const [one, two] = [open('one.db', 1_000_000), open('two.db', 1_060_000)];
    for (let count = 0; count < 20; count++) await put(one, `default/lost-${count}`);

    expect(two.eventsAfter(MACHINES, one.durableResourceVersion)).toBeUndefined();
  });
});

function open(name = 'store.db', now?: number): Store {
  const store = openStore({ path: join(directory, name), now: () => now ?? Date.now(), onListenerError: rethrow });
  opened.push(store);
  return store;
}

function refusal(): string | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    return isStoreError(error) ? error.code : String(error);
  }
}

function rethrow(error: unknown): void {
  throw error;
}

async function put(store: Store, key: string, spec: JsonObject = {}): Promise<void> {
  const object = machine(key.slice(key.indexOf('/') + 1), spec);
  await store.write({ resource: MACHINES, key, expected: store.get(MACHINES, key), object });
}

function formatOf(name: string): number {
  const file = new DatabaseSync(join(directory, name));
  const row = file.prepare('PRAGMA user_version').get();
  file.close();
  return Number(row?.['user_version']);
}

function machine(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'example.dev/v1', kind: 'Machine', metadata: { name }, spec };
}
