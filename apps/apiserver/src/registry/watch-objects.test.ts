import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { machines } from './fixtures/test-resources.ts';
import type { ObjectEvent } from './object-events.ts';
import type { WatchOptions } from './watch-objects.ts';

const MACHINES = machines();

describe('a watch', () => {
  it('from a resourceVersion tells of everything after it, in order, each once', async () => {
    await using world = await openRegistry();
    await create(world, 'm1');
    await label(world, 'm1', 'a');

    const watch = await startWatch(world, { resourceVersion: '2' });
    await label(world, 'm1', 'b');
    await remove(world, 'm1');

    expect(watch.lines()).toEqual(['MODIFIED m1 3', 'MODIFIED m1 4', 'DELETED m1 5']);
  });

  it.each<WatchOptions>([{ namespace: '' }, { namespace: '', resourceVersion: '0' }])(
    'from %o starts with what is there',
    async (options) => {
      await using world = await openRegistry();
      await create(world, 'm1');

      const watch = await startWatch(world, options);
      await create(world, 'm2');

      expect(watch.lines()).toEqual(['ADDED m1 2', 'ADDED m2 3']);
    },
  );

  it('that asks for initial events gets a bookmark after them', async () => {
    await using world = await openRegistry();
    await create(world, 'm1');

    const watch = await startWatch(world, {
      sendInitialEvents: true,
      allowBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
    });

    expect(watch.lines()).toEqual(['ADDED m1 2', 'BOOKMARK  2']);
    expect(watch.events[1]?.object.value).toEqual({
      kind: 'Machine',
      apiVersion: 'bench.example.dev/v1',
      metadata: { resourceVersion: '2', annotations: { 'k8s.io/initial-events-end': 'true' } },
    });
  });

  it('that wants no initial events starts now', async () => {
    await using world = await openRegistry();
    await create(world, 'm1');

    const watch = await startWatch(world, { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' });
    await create(world, 'm2');

    expect(watch.lines()).toEqual(['ADDED m2 3']);
  });

  it('sees objects come into its selection and leave it, with the last state that it saw', async () => {
    await using world = await openRegistry();
    await create(world, 'm1');
    const watch = await startWatch(world, { labelSelector: 'app=web', resourceVersion: '2' });

    await label(world, 'm1', 'web');
    await label(world, 'm1', 'web', 'more');
    await label(world, 'm1', 'db');
    await label(world, 'm1', 'web');
    await remove(world, 'm1');

    expect(watch.lines()).toEqual(['ADDED m1 3', 'MODIFIED m1 4', 'DELETED m1 5', 'ADDED m1 6', 'DELETED m1 7']);
    expect(watch.events[2]?.object.value).toMatchObject({
      metadata: { resourceVersion: '5', labels: { app: 'web', note: 'more' } },
    });
  });

  it('of one object or namespace hears of no other', async () => {
    await using world = await openRegistry();

    const one = await startWatch(world, { fieldSelector: 'metadata.name=m2' });
    const elsewhere = await startWatch(world, { namespace: 'other' });
    await create(world, 'm1');
    await create(world, 'm2');

    expect(one.lines()).toEqual(['ADDED m2 3']);
    expect(elsewhere.lines()).toEqual([]);
  });

  it('shares its events with all others that see the same', async () => {
    await using world = await openRegistry();
    const one = await startWatch(world, {});
    const other = await startWatch(world, { labelSelector: '!app' });

    await create(world, 'm1');

    expect(one.events[0]).toBe(other.events[0]);
  });

  it('starts with no write that is not durable yet, and misses none', async () => {
    await using world = await openRegistry();

    const creating = create(world, 'm1');
    const watch = await startWatch(world, {});
    const creatingMore = create(world, 'm2');
    await Promise.all([creating, creatingMore]);

    expect(watch.lines()).toEqual(['ADDED m1 2', 'ADDED m2 3']);
  });

  it('stands where the newest durable write is, when it is asked for a bookmark', async () => {
    await using world = await openRegistry();
    const watch = await startWatch(world, {});
    await create(world, 'm1');

    expect(watch.bookmark().object.value).toEqual({
      kind: 'Machine',
      apiVersion: 'bench.example.dev/v1',
      metadata: { resourceVersion: '2' },
    });
  });

  it('hears nothing after it was closed', async () => {
    await using world = await openRegistry();
    const watch = await startWatch(world, {});

    watch.close();
    await create(world, 'm1');

    expect(watch.lines()).toEqual([]);
  });

  it('in another version sees that version', async () => {
    await using world = await openRegistry();
    const events: ObjectEvent[] = [];
    await world.registry.watch(machines({ version: 'v2' }), { namespace: '' }, (batch) => events.push(...batch));

    await create(world, 'm1');

    expect(events[0]?.object.value['apiVersion']).toBe('bench.example.dev/v2');
  });
});

describe('a watch is refused', () => {
  it('when its start is too far in the past', async () => {
    await using world = await openRegistry({ history: { minEvents: 1, minAgeMs: -1 } });
    await create(world, 'm1');
    for (let count = 0; count < 5; count++) await label(world, 'm1', `v${count}`);

    const refusal = await refusalOf(startWatch(world, { resourceVersion: '2' }));

    const compactedTo = world.store.compactedTo('machines.bench.example.dev');
    expect(refusal).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: `too old resource version: 2 (${compactedTo})`,
    });
  });

  it('when its start is in the future: the store was put back to a state of before', async () => {
    await using world = await openRegistry();
    await create(world, 'm1');

    const refusal = await refusalOf(startWatch(world, { resourceVersion: '3' }));

    expect(refusal).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'too large resource version: 3, current: 2',
    });
  });

  it.each<{ options: Partial<WatchOptions>; message: string }>([
    {
      options: { sendInitialEvents: true },
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    },
    {
      options: { resourceVersionMatch: 'NotOlderThan' },
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    },
  ])('for $options', async ({ options, message }) => {
    await using world = await openRegistry();

    expect(await refusalOf(startWatch(world, options))).toMatchObject({ code: 422, message });
  });
});

async function startWatch(world: World, options: Partial<WatchOptions>) {
  const live: ObjectEvent[] = [];
  const sink = (batch: readonly ObjectEvent[]): number => live.push(...batch);
  const { initial, close, bookmark } = await world.registry.watch(MACHINES, { namespace: '', ...options }, sink);
  return {
    close,
    bookmark,
    get events() {
      return [...initial, ...live];
    },
    lines: () => [...initial, ...live].map(({ type, object }) => `${type} ${object.name} ${object.resourceVersion}`),
  };
}

async function create(world: World, name: string): Promise<void> {
  await world.registry.create(MACHINES, 'default', machine(name), writer());
}

async function label(world: World, name: string, app: string, note?: string): Promise<void> {
  const labels: JsonObject = note === undefined ? { app } : { app, note };
  const patch = { kind: 'merge', body: { metadata: { labels } } } as const;
  await world.registry.patch(MACHINES, { namespace: 'default', name }, patch, { context: writer(), subresource: '' });
}

async function remove(world: World, name: string): Promise<void> {
  await world.registry.delete(MACHINES, { namespace: 'default', name }, {}, writer());
}
