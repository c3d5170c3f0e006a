import type { ChangeHandler } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import { AwaitedChanges } from './awaited-changes.ts';

it('waits for what was made until it is there', () => {
  const { changes, tell } = world();
  changes.made('d/pool', 'd/a');

  const before = [changes.isSeen('d/pool'), changes.isSeen('d/other')];
  tell('d/a', object('a'));

  expect([...before, changes.isSeen('d/pool')]).toEqual([false, true, true]);
});

it.each([
  ['is gone', undefined],
  ['begins to go', object('a', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['is another one already', object('a', { uid: 'u-2' })],
])('waits for what was deleted until it %s', (_what, current) => {
  const { changes, tell } = world();
  changes.deleted('d/pool', 'd/a', 'u-1');

  tell('d/a', object('a'));
  const before = changes.isSeen('d/pool');
  tell('d/a', current);

  expect([before, changes.isSeen('d/pool')]).toEqual([false, true]);
});

it('does not wait for ever', () => {
  const { changes, clock } = world();
  changes.made('d/pool', 'd/a');

  clock.time = 30_000;

  expect(changes.isSeen('d/pool')).toBe(true);
});

function world() {
  const handlers: ChangeHandler<KubernetesObject>[] = [];
  const clock = { time: 0, monotonic: () => clock.time };
  const informer = {
    onChange: (handler: ChangeHandler<KubernetesObject>) => {
      handlers.push(handler);
      return () => undefined;
    },
  };
  const changes = new AwaitedChanges(informer, clock);
  const tell = (key: string, current: KubernetesObject | undefined): void => {
    for (const handler of handlers) handler({ key, old: undefined, current });
  };
  return { changes, clock, tell };
}

function object(name: string, metadata: Partial<KubernetesObject['metadata']> = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace: 'd', uid: 'u-1', ...metadata } };
}
