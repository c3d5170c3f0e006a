import type { ChangeHandler } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import { AwaitedChanges } from './awaited-changes.ts';

it('waits for what was made until it is there', () => {
  const { changes, tell } = world();
  changes.made('d/pool', 'd/a', 'u-1');

  const before = [changes.isSeen('d/pool'), changes.isSeen('d/other')];
  tell('d/a', object('a'));

  expect([...before, changes.isSeen('d/pool')]).toEqual([false, true, true]);
});

it('takes an older one of the same name for nothing that was made', () => {
  const { changes, tell } = world();
  tell('d/a', object('a', { uid: 'u-0' }));
  changes.made('d/pool', 'd/a', 'u-1');

  tell('d/a', undefined);
  const before = changes.isSeen('d/pool');
  tell('d/a', object('a'));

  expect([before, changes.isSeen('d/pool')]).toEqual([false, true]);
});

it('does not wait for what is told before the answer', () => {
  const { changes, tell } = world();
  tell('d/a', object('a'));
  changes.made('d/pool', 'd/a', 'u-1');
  const isMade = changes.isSeen('d/pool');

  tell('d/a', object('a', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
  changes.deleted('d/pool', 'd/a', 'u-1');

  expect([isMade, changes.isSeen('d/pool')]).toEqual([true, true]);
});

it.each([
  ['is gone', undefined],
  ['begins to go', object('a', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['is another one already', object('a', { uid: 'u-2' })],
])('waits for what was deleted until it %s', (_what, current) => {
  const { changes, tell } = world();
  tell('d/a', object('a'));
  changes.deleted('d/pool', 'd/a', 'u-1');

  tell('d/a', object('a'));
  const before = changes.isSeen('d/pool');
  tell('d/a', current);

  expect([before, changes.isSeen('d/pool')]).toEqual([false, true]);
});

it('does not wait for ever', () => {
  const { changes, clock } = world();
  changes.made('d/pool', 'd/a', 'u-1');

  clock.time = 30_000;

  expect(changes.isSeen('d/pool')).toBe(true);
});

function world() {
  const handlers: ChangeHandler<KubernetesObject>[] = [];
  const clock = { time: 0, monotonic: () => clock.time };
  const cache = new Map<string, KubernetesObject>();
  const informer = {
    cache,
    onChange: (handler: ChangeHandler<KubernetesObject>) => {
      handlers.push(handler);
      return () => undefined;
    },
  };
  const changes = new AwaitedChanges(informer, clock);
  const tell = (key: string, current: KubernetesObject | undefined): void => {
    if (current === undefined) cache.delete(key);
    else cache.set(key, current);
    for (const handler of handlers) handler({ key, old: undefined, current });
  };
  return { changes, clock, tell };
}

function object(name: string, metadata: Partial<KubernetesObject['metadata']> = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace: 'd', uid: 'u-1', ...metadata } };
}
