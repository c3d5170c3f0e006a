import type { KubernetesObject } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import { AwaitedWrites } from './awaited-writes.ts';
import type { ChangeHandler } from './informer.ts';

it('waits until the cache has what was written, and no older version', () => {
  const { writes, see } = world();
  see(object('5'));

  writes.note(object('9'));
  const before = writes.isBehind('d/a');
  see(object('7'));
  const between = writes.isBehind('d/a');
  see(object('10'));

  expect([before, between, writes.isBehind('d/a')]).toEqual([true, true, false]);
});

it('does not wait for what the cache had before the answer came', () => {
  const { writes, see } = world();
  see(object('9'));

  writes.note(object('9'));

  expect(writes.isBehind('d/a')).toBe(false);
});

it('does not wait for an object that is gone, or is another one of that name', () => {
  const { writes, see, lose } = world();
  writes.note(object('9'));
  lose();
  const afterLoss = writes.isBehind('d/a');
  writes.note(object('12'));
  see(object('3', 'other'));

  expect([afterLoss, writes.isBehind('d/a')]).toEqual([false, false]);
});

it('gives up when a later list does not show it either: what was made and deleted unseen never comes', () => {
  const { writes, clock, lists, list } = world();
  lists.begun = 2;
  lists.kept = 1;
  writes.note(object('9'));

  // One that was begun before may lack it.
  lists.kept = 2;
  clock.time += 60_000;
  const beforeList = writes.isBehind('d/a');
  list();

  expect([beforeList, writes.isBehind('d/a')]).toEqual([true, false]);
});

it('does not take a list for all that there is while a server may still answer with an older state', () => {
  const { writes, clock, list } = world();
  writes.note(object('9'));

  clock.time += 29_999;
  list();
  clock.time += 60_000;
  const early = writes.isBehind('d/a');
  list();

  expect([early, writes.isBehind('d/a')]).toEqual([true, false]);
});

it('sees in a list a second later, then silence, no more than before: the server of both may be behind', () => {
  const { writes, clock, see, list } = world();
  see(object('90'));
  writes.note(object('100'));

  clock.time += 1_000;
  list();
  see(object('90'));
  const looks = [30_000, 31_000, 179_999, 180_000].map((time) => {
    clock.time = time;
    return writes.isBehind('d/a');
  });

  expect(looks).toEqual([true, true, true, false]);
});

it('takes a list without a time for one of all that there is, 30 s after the write', () => {
  const known = new Map<string, KubernetesObject>();
  const clock = { time: 0, monotonic: () => clock.time };
  const lists = { begun: 0, kept: 0 };
  const writes = new AwaitedWrites({ cache: known, lists }, clock);
  writes.note(object('9'));

  Object.assign(lists, { begun: 1, kept: 1 });
  clock.time = 29_999;
  const early = writes.isBehind('d/a');
  clock.time = 30_000;

  expect([early, writes.isBehind('d/a')]).toEqual([true, false]);
});

it('waits without a list for longer than it takes to notice that a watch hangs, and then no more', () => {
  const { writes, clock } = world();
  writes.note(object('9'));

  clock.time += 179_999;
  const early = writes.isBehind('d/a');
  clock.time += 1;

  expect([early, writes.isBehind('d/a')]).toEqual([true, false]);
});

it('looks for itself where nobody tells it of changes, until it is told to wait no longer', () => {
  const known = new Map<string, KubernetesObject>();
  const writes = new AwaitedWrites({ cache: known }, { monotonic: () => 0 });
  writes.note(object('9'));
  known.set('d/a', object('8'));
  const before = writes.isBehind('d/a');
  known.set('d/a', object('9'));
  const seen = writes.isBehind('d/a');
  writes.note(object('12'));
  writes.forget('d/a');

  expect([before, seen, writes.isBehind('d/a')]).toEqual([true, false, false]);
});

function world() {
  const clock = { time: 0, monotonic: () => clock.time };
  const known = new Map<string, KubernetesObject>();
  const handlers: ChangeHandler<KubernetesObject>[] = [];
  const lists = { begun: 0, kept: 0, keptBegunAt: 0 };
  /** All objects come, by a list that is begun now. */
  const list = (): void => {
    lists.begun += 1;
    lists.kept = lists.begun;
    lists.keptBegunAt = clock.time;
  };
  const informer = {
    lists,
    cache: { get: (key: string) => known.get(key) },
    onChange: (handler: ChangeHandler<KubernetesObject>) => {
      handlers.push(handler);
      return () => undefined;
    },
  };
  const tell = (current: KubernetesObject | undefined): void => {
    const old = known.get('d/a');
    if (current === undefined) known.delete('d/a');
    else known.set('d/a', current);
    for (const handler of handlers) handler({ key: 'd/a', old, current });
  };
  const writes = new AwaitedWrites(informer, clock);
  return { writes, clock, lists, list, see: tell, lose: () => tell(undefined) };
}

function object(resourceVersion: string, uid = 'own'): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', namespace: 'd', uid, resourceVersion } };
}
