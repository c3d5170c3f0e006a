import { describe, expect, it } from 'vitest';

import { Listeners, type Concern, type StoreListener } from './listeners.ts';
import type { StoreEvent } from './store-event.ts';
import { StoredObject } from './stored-object.ts';

describe('Listeners', () => {
  it('shows a listener what concerns it alone, and one without a concern everything', () => {
    const listeners = new Listeners();
    const [all, first, second] = [recorder(), recorder(), recorder()];
    listeners.add(all.listener);
    listeners.add(first.listener, onNode('n1'));
    listeners.add(second.listener, onNode('n2'));

    tell(listeners, [event('a', 'n1'), event('b', 'n2'), event('c', 'n1'), event('d', undefined)]);

    expect([all.seen, first.seen, second.seen]).toEqual([['a', 'b', 'c', 'd'], ['a', 'c'], ['b']]);
  });

  it('shows an object that goes from one to the other to both', () => {
    const listeners = new Listeners();
    const [first, second] = [recorder(), recorder()];
    listeners.add(first.listener, onNode('n1'));
    listeners.add(second.listener, onNode('n2'));

    tell(listeners, [event('a', 'n2', 'n1')]);

    expect([first.seen, second.seen]).toEqual([['a'], ['a']]);
  });

  it('reads an object once for all that ask the same of it', () => {
    const listeners = new Listeners();
    let reads = 0;
    const read = (object: StoredObject): string | undefined => {
      reads++;
      return nodeOf(object);
    };
    for (let host = 0; host < 100; host++) listeners.add(() => undefined, { ...onNode(`n${host}`), read });

    tell(listeners, [event('a', 'n7')]);

    expect(reads).toBe(1);
  });

  it('shows what cannot be read to everybody, says so, and goes on', () => {
    const listeners = new Listeners();
    const [first, second, other] = [recorder(), recorder(), recorder()];
    listeners.add(first.listener, { ...onNode('n1'), read: nodeUnlessBroken });
    listeners.add(second.listener, { ...onNode('n2'), read: nodeUnlessBroken });
    listeners.add(other.listener, { ...onNode('n2'), name: 'other' });
    const errors: unknown[] = [];

    const events = [event('a', 'n1'), event('broken', 'n1'), event('b', 'n2')];
    for (const [listener, own] of listeners.addressed(events, (error) => errors.push(error))) listener(own);

    expect([first.seen, second.seen, other.seen]).toEqual([['a', 'broken'], ['broken', 'b'], ['b']]);
    expect(errors).toEqual([new Error('damaged')]);
  });

  it('tells nobody who is gone, not even of the commit in which another one has gone', () => {
    const listeners = new Listeners();
    const late = recorder();
    const removals: (() => void)[] = [];
    listeners.add(() => removals.forEach((remove) => remove()), onNode('n1'));
    removals.push(listeners.add(late.listener, onNode('n1')));

    tell(listeners, [event('a', 'n1')]);

    expect(late.seen).toEqual([]);
  });

  it('is empty again when the last has gone', () => {
    const listeners = new Listeners();
    const removals = [listeners.add(() => undefined), listeners.add(() => undefined, onNode('n1'))];
    const wasEmpty = listeners.isEmpty;

    for (const remove of removals) remove();

    expect([wasEmpty, listeners.isEmpty]).toEqual([false, true]);
  });
});

function onNode(value: string): Concern {
  return { name: 'node', value, read: nodeOf };
}

function nodeOf({ labels }: StoredObject): string | undefined {
  const node = labels['node'];
  return typeof node === 'string' ? node : undefined;
}

function nodeUnlessBroken(object: StoredObject): string | undefined {
  if (object.name === 'broken') throw new Error('damaged');
  return nodeOf(object);
}

function recorder(): { readonly listener: StoreListener; readonly seen: readonly string[] } {
  const seen: string[] = [];
  return { seen, listener: (events) => seen.push(...events.map(({ object }) => object.name)) };
}

function tell(listeners: Listeners, events: readonly StoreEvent[]): void {
  for (const [listener, own] of listeners.addressed(events, rethrow)) listener(own);
}

function rethrow(error: unknown): void {
  throw error;
}

function event(name: string, node: string | undefined, before?: string): StoreEvent {
  const previous = before === undefined ? undefined : stored(name, before);
  const type = previous === undefined ? 'ADDED' : 'MODIFIED';
  return { type, resource: 'pods', resourceVersion: 1, time: 0, object: stored(name, node), previous };
}

function stored(name: string, node: string | undefined): StoredObject {
  const labels = node === undefined ? {} : { node };
  const bytes = Buffer.from(JSON.stringify({ metadata: { name, labels } }));
  return new StoredObject({ key: `default/${name}`, resourceVersion: 1, bytes });
}
