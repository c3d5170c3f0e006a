import type { KubernetesObject } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import type { LiveMessage } from './live-message.ts';
import { LiveStore } from './live-store.ts';

const MACHINES = { path: '/apis/kubevirt.io/v1/virtualmachines' };

it('follows what is listened to, once, however many listen', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);

  collection.subscribe(() => undefined);
  world.store.collection({ ...MACHINES }).subscribe(() => undefined);

  expect(world.sent).toEqual([{ kind: 'follow', id: 1, path: MACHINES.path }]);
});

it('tells of all messages between two frames at once', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);
  let told = 0;
  collection.subscribe(() => (told += 1));

  world.store.receive([put(1, 'a', '1')]);
  world.store.receive([put(1, 'a', '2'), put(1, 'b', '1')]);
  const before = told;
  world.drawFrame();

  expect([before, told]).toEqual([0, 1]);
  expect([...collection.followed().byKey.keys()]).toEqual(['default/a', 'default/b']);
});

it('tells who listens to one object only of that object', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);
  const told: string[] = [];
  collection.subscribeOne('default/a', () => told.push('a'));
  collection.subscribeOne('default/b', () => told.push('b'));
  world.store.receive([{ ...put(1, 'a', '1'), isReset: true, isComplete: true }, put(1, 'b', '1')]);
  world.drawFrame();
  told.length = 0;

  world.store.receive([put(1, 'b', '2')]);
  world.drawFrame();

  expect(told).toEqual(['b']);
});

it('goes on following for a while after the last listener has left, and then forgets', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);
  const stop = collection.subscribe(() => undefined);
  world.store.receive([put(1, 'a', '1')]);
  world.drawFrame();

  stop();
  stop();
  const isKeptForNow = collection.followed().byKey.size === 1 && world.sent.length === 1;
  world.runLater();

  expect(isKeptForNow).toBe(true);
  expect(world.sent.at(-1)).toEqual({ kind: 'forget', id: 1 });
  expect(collection.followed().byKey.size).toBe(0);
});

it('does not forget what somebody came back to', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);

  collection.subscribe(() => undefined)();
  collection.subscribe(() => undefined);
  world.runLater();

  expect(world.sent).toEqual([{ kind: 'follow', id: 1, path: MACHINES.path }]);
});

it('follows all of it again on a new connection, under the same ids', () => {
  const world = makeWorld();
  world.store.collection(MACHINES).subscribe(() => undefined);
  world.store.collection({ path: '/api/v1/events', fieldSelector: 'type=Warning' }).subscribe(() => undefined);
  const first = [...world.sent];

  world.store.followAgain();

  expect(world.sent.slice(first.length)).toEqual(first);
});

it('keeps nothing of what one user saw for the next', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);
  const stop = collection.subscribe(() => undefined);
  world.store.receive([put(1, 'a', '1')]);
  world.drawFrame();
  world.store.receive([put(1, 'late', '1')]);

  world.store.forgetAll();
  world.drawFrame();
  const left = collection.followed().byKey.size;
  stop();
  collection.subscribe(() => undefined);
  world.store.receive([put(2, 'b', '1')]);
  world.drawFrame();

  expect(left).toBe(0);
  expect(world.sent.at(-1)).toEqual({ kind: 'follow', id: 2, path: MACHINES.path });
  expect([...collection.followed().byKey.keys()]).toEqual(['default/b']);
});

it('drops what is told of something that is no longer followed', () => {
  const world = makeWorld();
  const collection = world.store.collection(MACHINES);
  collection.subscribe(() => undefined)();
  world.runLater();

  world.store.receive([put(1, 'late', '1')]);
  world.drawFrame();

  expect(collection.followed().byKey.size).toBe(0);
});

function makeWorld(): {
  readonly store: LiveStore;
  readonly sent: object[];
  readonly drawFrame: () => void;
  readonly runLater: () => void;
} {
  const sent: object[] = [];
  const frames: (() => void)[] = [];
  const waiting = new Set<() => void>();
  const store = new LiveStore({
    send: (message) => sent.push(message),
    nextFrame: (run) => frames.push(run),
    later: (run) => {
      waiting.add(run);
      return () => waiting.delete(run);
    },
  });
  return {
    store,
    sent,
    drawFrame: () => frames.splice(0).forEach((run) => run()),
    runLater: () => waiting.forEach((run) => run()),
  };
}

function put(id: number, name: string, resourceVersion: string): LiveMessage & { readonly kind: 'changes' } {
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { namespace: 'default', name, resourceVersion, uid: name },
  };
  return { kind: 'changes', id, isReset: false, isComplete: false, put: [object], gone: [] };
}
