import { mkdtemp, open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { JsonObject } from '@smalt/json';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { HistoryLimits } from './history-limits.ts';
import { isStoreError } from './store-error.ts';
import type { StoreEvent } from './store-event.ts';
import { openStore, type Store } from './store.ts';

const MACHINES = 'machines.example.dev';

let directory: string;
const opened: Store[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await rm(directory, { recursive: true });
});

describe('a write', () => {
  it('gives every object the next resourceVersion, in its bytes too', async () => {
    const store = open();

    const first = await put(store, 'default/a');
    const second = await put(store, 'default/b');

    expect([first.resourceVersion, second.resourceVersion]).toEqual([1, 2]);
    expect(JSON.parse(second.bytes.toString())).toMatchObject({ metadata: { name: 'b', resourceVersion: '2' } });
  });

  it('is visible at once, and settled when it is durable', async () => {
    const store = open();

    const written = put(store, 'default/a');

    expect(store.get(MACHINES, 'default/a')?.resourceVersion).toBe(1);
    expect(store.durableResourceVersion).toBe(0);
    expect(await store.settled()).toBe(true);
    expect(store.durableResourceVersion).toBe(1);
    expect(store.settled()).toBeUndefined();
    await written;
  });

  it('is refused when the writer did not see the newest state', async () => {
    const store = open();
    const first = await put(store, 'default/a');
    await put(store, 'default/a', { size: 2 });

    const late = store.write({ resource: MACHINES, key: 'default/a', expected: first, object: machine('a', {}) });

    expect(late).toBeUndefined();
    expect(store.get(MACHINES, 'default/a')?.value).toMatchObject({ spec: { size: 2 } });
  });

  it('keeps integers that a number cannot hold', async () => {
    const store = open();
    await put(store, 'default/a', { big: 9007199254740993n });
    store.close();

    expect(open().get(MACHINES, 'default/a')?.value).toMatchObject({ spec: { big: 9007199254740993n } });
  });

  it('shares one commit with the others of the same turn', async () => {
    const store = open();
    const batches: number[] = [];
    store.subscribe(MACHINES, (events) => batches.push(events.length));

    await Promise.all(['a', 'b', 'c'].map((name) => put(store, `default/${name}`)));
    await put(store, 'default/d');

    expect(batches).toEqual([3, 1]);
  });
});

describe('a store that is opened again', () => {
  it('has every object, and goes on counting', async () => {
    const store = open();
    await put(store, 'default/a', { size: 1 });
    await put(store, 'default/b');
    await put(store, 'default/a', { size: 2 });
    await remove(store, 'default/b');
    store.close();

    const again = open();

    expect(again.range(MACHINES).map((object) => object.value)).toEqual([
      { ...machine('a', { size: 2 }), metadata: { name: 'a', resourceVersion: '3' } },
    ]);
    expect((await put(again, 'default/c')).resourceVersion).toBe(5);
  });

  it('tells a watcher what it has missed, with what was there before', async () => {
    const store = open();
    await put(store, 'default/a', { size: 1 });
    await put(store, 'default/a', { size: 2 });
    await remove(store, 'default/a');
    store.close();

    const events = open().eventsAfter(MACHINES, 1) ?? [];

    expect(events.map(summary)).toEqual(['MODIFIED 2 over 1', 'DELETED 3 over 2']);
    expect(events[0]?.previous?.value).toMatchObject({ spec: { size: 1 } });
    expect(events[1]?.object.value).toMatchObject({ metadata: { resourceVersion: '3' }, spec: { size: 2 } });
  });

  it('does not fall back when the newest event was forgotten', async () => {
    const store = open({ minEvents: 0, minAgeMs: -1 });
    await put(store, 'default/a');
    await remove(store, 'default/a');
    await put(store, 'default/b');
    store.close();

    const again = open({ minEvents: 0, minAgeMs: -1 });

    expect(again.resourceVersion).toBe(3);
  });
});

describe('the history', () => {
  it('forgets what is old, says so, and keeps the objects', async () => {
    const store = open({ minEvents: 2, minAgeMs: -1 });
    for (let size = 1; size <= 6; size++) await put(store, 'default/a', { size });

    const gone = store.compactedTo(MACHINES);

    expect(gone).toBeGreaterThan(0);
    expect(store.eventsAfter(MACHINES, gone - 1)).toBeUndefined();
    expect(store.eventsAfter(MACHINES, gone)?.map(summary).at(-1)).toBe('MODIFIED 6 over 5');
    store.close();
    const again = open();
    expect(again.compactedTo(MACHINES)).toBe(gone);
    expect(again.eventsAfter(MACHINES, gone)?.map(({ previous }) => previous?.value)).not.toContain(undefined);
    expect(again.get(MACHINES, 'default/a')?.value).toMatchObject({ spec: { size: 6 } });
  });

  it('removes from the file what nobody can ask for any more', async () => {
    const store = open({ minEvents: 2, minAgeMs: -1 });
    for (let size = 1; size <= 50; size++) await put(store, 'default/a', { size });
    await remove(store, 'default/a');
    for (let size = 1; size <= 5; size++) await put(store, 'default/b', { size });
    store.close();

    const rows = new DatabaseSync(join(directory, 'store.db')).prepare('SELECT count(*) AS rows FROM event').get();

    expect(Number(rows?.['rows'])).toBeLessThan(6);
  });

  it('of a quiet resource outlives a busy neighbour', async () => {
    const store = open({ minEvents: 3, minAgeMs: -1, maxEvents: 10 });
    await put(store, 'default/a');
    for (let count = 0; count < 50; count++) {
      await store.write({
        resource: 'leases',
        key: 'default/busy',
        expected: store.get('leases', 'default/busy'),
        object: machine('busy', { count }),
      });
    }

    expect(store.eventsAfter(MACHINES, 0)?.map(summary)).toEqual(['ADDED 1 over 0']);
    expect(store.compactedTo('leases')).toBeGreaterThan(40);
  });

  it('gives back the state of an earlier time', async () => {
    const store = open({ eventsInMemory: 2 });
    await put(store, 'default/a', { size: 1 });
    await put(store, 'default/b', { size: 1 });
    await put(store, 'default/a', { size: 2 });
    await remove(store, 'default/b');
    await put(store, 'default/c');

    const before = store.changesSince(MACHINES, 2);

    expect([...(before ?? [])].map(([key, object]) => [key, object?.value['spec']])).toEqual([
      ['default/c', undefined],
      ['default/b', { size: 1 }],
      ['default/a', { size: 1 }],
    ]);
  });
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

  it('of the first version is taken over, and keeps the forms of objects from then on', async () => {
    const first = open();
    await put(first, 'default/a');
    first.close();
    const file = new DatabaseSync(join(directory, 'store.db'));
    file.exec('ALTER TABLE event DROP COLUMN form; PRAGMA user_version = 1');
    file.close();

    const store = open();
    const object = machine('b', {});
    await store.write({ resource: MACHINES, key: 'default/b', expected: undefined, object, form: 2 ** 47 + 1 });
    store.close();

    expect(
      open()
        .range(MACHINES)
        .map(({ key, form }) => [key, form]),
    ).toEqual([
      ['default/a', undefined],
      ['default/b', 2 ** 47 + 1],
    ]);
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

  it('can be copied while it is in use', async () => {
    const store = open();
    await put(store, 'default/a');

    store.backUp(join(directory, 'copy.db'));
    await put(store, 'default/b');

    const copy = openStore({ path: join(directory, 'copy.db'), now: Date.now, onListenerError: rethrow });
    opened.push(copy);
    expect(copy.range(MACHINES).map(({ key }) => key)).toEqual(['default/a']);
  });
});

it('goes on when a listener throws, and tells of it', async () => {
  const errors: unknown[] = [];
  const store = open({}, (error) => errors.push(error));
  const seen: string[] = [];
  store.subscribe(MACHINES, () => {
    throw new Error('broken');
  });
  store.subscribe(MACHINES, (events) => seen.push(...events.map(summary)));

  await put(store, 'default/a');

  expect(seen).toEqual(['ADDED 1 over 0']);
  expect(errors).toEqual([new Error('broken')]);
});

it('takes no writes once it is closed', () => {
  const store = open();
  store.close();

  expect(() => store.write({ resource: MACHINES, key: 'a/b', expected: undefined, object: {} })).toThrow('closed');
});

function open(history: Partial<HistoryLimits> = {}, onListenerError: (error: unknown) => void = rethrow): Store {
  const store = openStore({ path: join(directory, 'store.db'), now: Date.now, history, onListenerError });
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

async function put(store: Store, key: string, spec: JsonObject = {}) {
  const object = machine(key.slice(key.indexOf('/') + 1), spec);
  const written = await store.write({ resource: MACHINES, key, expected: store.get(MACHINES, key), object });
  if (written === undefined) throw new Error('somebody else was faster');
  return written;
}

async function remove(store: Store, key: string): Promise<void> {
  await store.write({ resource: MACHINES, key, expected: store.get(MACHINES, key), object: undefined });
}

function machine(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'example.dev/v1', kind: 'Machine', metadata: { name }, spec };
}

function summary(event: StoreEvent): string {
  return `${event.type} ${event.resourceVersion} over ${event.previous?.resourceVersion ?? 0}`;
}
