import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { JsonObject } from '@smalt/json';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { HistoryLimits } from './history-limits.ts';
import type { StoreEvent } from './store-event.ts';
import { openStore, type Store } from './store.ts';

const MACHINES = 'machines.example.dev';
const LARGE = 'larges.example.dev';

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

  it('is refused when the object is larger than etcd would take, and leaves nothing behind', async () => {
    const store = open();
    await put(store, 'default/a', { padding: 'x'.repeat(1_500_000) });

    const attempt = put(store, 'default/a', { padding: 'x'.repeat(1_600_000) });

    await expect(attempt).rejects.toMatchObject({ code: 'too-large', message: 'etcdserver: request is too large' });
    expect(store.resourceVersion).toBe(1);
    expect(store.get(MACHINES, 'default/a')?.resourceVersion).toBe(1);
  });

  it('is refused when the object is nested deeper than can be read again', async () => {
    const store = open();
    const nested = (depth: number): JsonObject => (depth === 0 ? {} : { a: nested(depth - 1) });

    await put(store, 'default/a', nested(900));
    const attempt = put(store, 'default/b', nested(1100));

    await expect(attempt).rejects.toMatchObject({ code: 'too-deep' });
    expect(store.get(MACHINES, 'default/b')).toBeUndefined();
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

  it('of a resource that is gone goes with time, though nobody writes it any more', async () => {
    const store = open({ minEvents: 3, minAgeMs: -1 });
    await putLarge(store, 1);
    await putLarge(store, 2);
    await store.write({
      resource: LARGE,
      key: 'default/large',
      expected: store.get(LARGE, 'default/large'),
      object: undefined,
    });
    for (let size = 0; size < 6; size++) await put(store, 'default/a', { size });
    store.close();

    const file = new DatabaseSync(join(directory, 'store.db'));
    const rows = file.prepare('SELECT count(*) AS rows FROM event WHERE resource = ?').get(LARGE);
    file.close();
    const again = open();

    expect(Number(rows?.['rows'])).toBe(0);
    expect(again.resources()).toEqual([MACHINES]);
    expect(again.eventsAfter(LARGE, 2)).toBeUndefined();
    expect(again.eventsAfter(LARGE, 3)).toEqual([]);
  });

  it('gives way to its bound in bytes, at the cost of the resource that fills it', async () => {
    const store = open({ maxBytes: 100_000 });
    await put(store, 'default/quiet');
    await put(store, 'default/quiet', { size: 2 });
    for (let count = 0; count < 30; count++) await putLarge(store, 10_000 + count);
    await put(store, 'default/quiet', { size: 3 });
    store.close();

    const file = new DatabaseSync(join(directory, 'store.db'));
    const sum = file.prepare('SELECT sum(length(object)) AS bytes FROM event').get();
    file.close();
    const again = open();

    expect(Number(sum?.['bytes'])).toBeLessThan(130_000);
    expect(again.compactedTo(MACHINES)).toBe(0);
    expect(again.eventsAfter(MACHINES, 0)?.length).toBe(3);
    expect(again.eventsAfter(LARGE, 0)).toBeUndefined();
    expect(again.eventsAfter(LARGE, again.compactedTo(LARGE))?.at(-1)?.previous?.byteLength).toBeGreaterThan(10_000);
    expect(again.get(LARGE, 'default/large')?.value).toMatchObject({ spec: { padding: 'x'.repeat(10_029) } });
  });

  it('reads from the file what does not fit into memory', async () => {
    const store = open({ bytesInMemory: 25_000 });
    for (let count = 0; count < 10; count++) await putLarge(store, 10_000 + count);

    const previous = (store.eventsAfter(LARGE, 1) ?? []).map((event) => event.previous);

    const read = previous.map((object) => object?.bytes);
    const isHeld = previous.map((object, index) => object?.bytes === read[index]);
    expect(isHeld).toEqual([false, false, false, false, false, false, false, true, true]);
    expect(previous[0]?.value).toMatchObject({ spec: { padding: 'x'.repeat(10_000) } });
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

it('tells all others when what somebody cares for cannot be read', async () => {
  const errors: unknown[] = [];
  const store = open({}, (error) => errors.push(error));
  const seen: string[] = [];
  store.subscribe(MACHINES, (events) => seen.push(...events.map(summary)), {
    name: 'node',
    value: 'n1',
    read: readDamaged,
  });
  store.subscribe(LARGE, (events) => seen.push(...events.map(summary)));

  const writes = [put(store, 'default/a'), putLarge(store, 10)];
  await Promise.all(writes);

  expect(seen).toEqual(['ADDED 1 over 0', 'ADDED 2 over 0']);
  expect(errors).toEqual([new Error('damaged')]);
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

function readDamaged(): string {
  throw new Error('damaged');
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

async function putLarge(store: Store, size: number): Promise<void> {
  const key = 'default/large';
  const object = machine('large', { padding: 'x'.repeat(size) });
  await store.write({ resource: LARGE, key, expected: store.get(LARGE, key), object });
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
