import { KubeError, type Fields } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import type { ChangeHandler } from './informer.ts';
import { ObjectCache } from './object-cache.ts';
import { StatusWriter } from './status-writer.ts';

const signal = new AbortController().signal;

describe('StatusWriter', () => {
  it('applies the status by force under the name of its controller', async () => {
    const world = startWorld();
    world.show('1', {});

    const wasSent = await world.writer.apply('ns/a', { phase: 'Up' }, signal);

    expect(wasSent).toBe(true);
    expect(world.sent).toEqual([['a', { phase: 'Up' }, { namespace: 'ns', fieldManager: 'me', force: true, signal }]]);
  });

  it('sends nothing when the object says so already', async () => {
    const world = startWorld();
    world.show('1', {});
    const status = { phase: 'Up', left: undefined, conditions: [{ type: 'Ready', status: 'True' }], list: [1, 2] };
    await world.writer.apply('ns/a', status, signal);

    world.show('2', {
      phase: 'Up',
      others: 1,
      conditions: [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True', by: 'server' },
      ],
      list: [1, 2],
    });

    expect(await world.writer.apply('ns/a', { ...status }, signal)).toBe(false);
  });

  it.each<[string, Fields]>([
    ['a field', { phase: 'Down', conditions: [{ type: 'Ready', status: 'True' }] }],
    ['a condition', { phase: 'Up', conditions: [{ type: 'Ready', status: 'False' }] }],
    ['the whole status', {}],
  ])('sends it again when somebody overwrote %s', async (_what, shown) => {
    const world = startWorld();
    const status = { phase: 'Up', conditions: [{ type: 'Ready', status: 'True' }] };
    await world.writer.apply('ns/a', status, signal);

    world.show('2', shown);

    expect(await world.writer.apply('ns/a', status, signal)).toBe(true);
  });

  it('sends less than before, so that the server lets the rest go', async () => {
    const world = startWorld();
    await world.writer.apply('ns/a', { phase: 'Up', reason: 'x' }, signal);
    world.show('2', { phase: 'Up', reason: 'x' });

    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(true);
  });

  it('knows an object that was made anew for another', async () => {
    const world = startWorld();
    world.show('1', { phase: 'Up' }, 'first');
    await world.writer.apply('ns/a', { phase: 'Up' }, signal);
    world.show('5', { phase: 'Up' }, 'second');

    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(true);
  });

  it('does not mind an object that is gone, and forgets it', async () => {
    const world = startWorld();
    world.fail = new KubeError('not-found', 'gone');

    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(false);

    world.fail = undefined;
    world.show('1', { phase: 'Up' });
    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(true);
  });

  it('tells of other failures, and tries again then', async () => {
    const world = startWorld();
    world.fail = new KubeError('connection', 'no way');

    await expect(world.writer.apply('ns/a', { phase: 'Up' }, signal)).rejects.toThrow('no way');

    world.fail = undefined;
    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(true);
  });

  it('takes over what is there, and sends it only when it changes', async () => {
    const world = startWorld();
    world.show('1', { phase: 'Up', others: 1 });

    world.writer.adopt('ns/a', { phase: 'Up' });
    const first = await world.writer.apply('ns/a', { phase: 'Up' }, signal);
    world.writer.adopt('ns/a', { phase: 'Down' });
    const second = await world.writer.apply('ns/a', { phase: 'Down' }, signal);

    expect([first, second]).toEqual([false, true]);
  });

  it('takes over nothing that is not there', async () => {
    const world = startWorld();
    world.show('1', { phase: 'Down' });

    world.writer.adopt('ns/a', { phase: 'Up' });

    expect(await world.writer.apply('ns/a', { phase: 'Up' }, signal)).toBe(true);
  });

  it('knows whether the cache has what it wrote', async () => {
    const world = startWorld();
    world.show('9', {});
    world.written = '10';

    expect(world.writer.hasSeen('ns/a')).toBe(true);
    await world.writer.apply('ns/a', { phase: 'Up' }, signal);
    expect(world.writer.hasSeen('ns/a')).toBe(false);

    world.show('10', { phase: 'Up' });
    expect(world.writer.hasSeen('ns/a')).toBe(true);
  });

  it('waits for no write that a later list does not show either: a store that was put back never has it', async () => {
    const world = startWorld();
    world.show('9', {});
    world.written = '10';
    await world.writer.apply('ns/a', { phase: 'Up' }, signal);

    world.clock.time += 60_000;
    const early = world.writer.hasSeen('ns/a');
    Object.assign(world.lists, { begun: 1, kept: 1, keptBegunAt: world.clock.time });

    expect([early, world.writer.hasSeen('ns/a')]).toEqual([false, true]);
  });

  it('waits for no version that the cache had before the store was put back', async () => {
    const world = startWorld();
    world.show('9', {});
    world.written = '10';
    await world.writer.apply('ns/a', { phase: 'Up' }, signal);
    world.show('10', { phase: 'Up' });

    world.show('4', {});

    expect(world.writer.hasSeen('ns/a')).toBe(true);
  });

  it('waits for no write to an object that was made anew since', async () => {
    const world = startWorld();
    world.show('9', {}, 'first');
    world.written = '20';
    await world.writer.apply('ns/a', { phase: 'Up' }, signal);

    world.show('12', {}, 'second');

    expect(world.writer.hasSeen('ns/a')).toBe(true);
  });

  it('waits for nothing where versions are no numbers', async () => {
    const world = startWorld();
    world.show('a', {});
    world.written = 'b';

    await world.writer.apply('ns/a', { phase: 'Up' }, signal);

    expect(world.writer.hasSeen('ns/a')).toBe(true);
  });
});

interface Guest extends KubernetesObject {
  readonly status: Fields;
}

function startWorld() {
  const cache = new ObjectCache<Guest>();
  const sent: unknown[][] = [];
  const handlers: ChangeHandler<Guest>[] = [];
  const lists = { begun: 0, kept: 0, keptBegunAt: 0 };
  const informer = {
    cache,
    lists,
    onChange: (handler: ChangeHandler<Guest>) => {
      handlers.push(handler);
      return () => {};
    },
  };
  const applyStatus = async (...words: unknown[]): Promise<Guest['metadata']> => {
    if (world.fail !== undefined) throw world.fail;
    sent.push(words);
    return guest(world.written, {}, 'u').metadata;
  };
  const clock = { time: 0, monotonic: () => clock.time };
  const world = {
    sent,
    clock,
    lists,
    /** The version that the server gives to what is written. */
    written: '0',
    fail: undefined as Error | undefined,
    writer: new StatusWriter({ applyStatus }, informer, 'me', clock),
    show: (resourceVersion: string, status: Fields, uid = 'u') => {
      const change = cache.put(guest(resourceVersion, status, uid));
      if (change !== undefined) for (const handler of handlers) handler(change);
    },
  };
  return world;
}

function guest(resourceVersion: string, status: Fields, uid: string): Guest {
  return { apiVersion: 'v1', kind: 'Guest', metadata: { name: 'a', namespace: 'ns', uid, resourceVersion }, status };
}
