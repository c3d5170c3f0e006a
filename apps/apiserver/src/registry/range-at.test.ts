import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from 'fast-check';
import { expect, it } from 'vitest';

import { openStore, type Store } from '../store/store.ts';
import { rangeAt } from './range-at.ts';

const RESOURCE = 'machines.example.dev';
const LIMITS = { minEvents: 8, minAgeMs: -1, eventsInMemory: 3 };

type Snapshot = ReadonlyMap<string, number>;

it('shows every state of the past that is still known, over restarts, and replays from there to now', async () => {
  const write = record({ key: constantFrom('a/x', 'a/y', 'a-b/x', 'b/x'), size: integer({ min: 0, max: 3 }) });
  const steps = array(
    oneof({ weight: 9, arbitrary: write }, { weight: 1, arbitrary: constantFrom('reopen' as const) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );

  await assert(
    asyncProperty(steps, async (given) => {
      using file = storeFile();
      let store = file.open();
      const states: Snapshot[] = [new Map()];
      for (const step of given) {
        if (step === 'reopen') store = file.open();
        else await change(store, states, step);
      }

      const oldest = store.compactedTo(RESOURCE);
      const shown = states.map((_, resourceVersion) => stateAt(store, resourceVersion));
      const replayed = states.map((state, resourceVersion) => replay(store, state, resourceVersion));

      expect(shown).toEqual(states.map((state, at) => (at < oldest ? undefined : sorted(state))));
      expect(replayed.slice(oldest)).toEqual(states.slice(oldest).map(() => sorted(states.at(-1) ?? new Map())));
    }),
    { numRuns: 40 },
  );
});

/** A size of 0 deletes. The states are those after each resourceVersion. */
async function change(
  store: Store,
  states: Snapshot[],
  { key, size }: { readonly key: string; readonly size: number },
): Promise<void> {
  const expected = store.get(RESOURCE, key);
  if (size === 0 && expected === undefined) return;
  const object = size === 0 ? undefined : { metadata: { name: key.slice(2) }, spec: { size } };
  await store.write({ resource: RESOURCE, key, expected, object });
  const state = new Map(states.at(-1));
  if (size === 0) state.delete(key);
  else state.set(key, size);
  states.push(state);
}

function stateAt(store: Store, resourceVersion: number): readonly (readonly [string, number])[] | undefined {
  const objects = rangeAt(store, RESOURCE, { from: '', to: undefined }, resourceVersion);
  return objects?.map((object) => [object.key, sizeOf(object.value['spec'])]);
}

function replay(store: Store, start: Snapshot, resourceVersion: number): readonly (readonly [string, number])[] {
  const state = new Map(start);
  for (const event of store.eventsAfter(RESOURCE, resourceVersion) ?? []) {
    if (event.type === 'DELETED') state.delete(event.object.key);
    else state.set(event.object.key, sizeOf(event.object.value['spec']));
  }
  return sorted(state);
}

function sizeOf(spec: unknown): number {
  return (spec as { readonly size: number }).size;
}

function sorted(state: Snapshot): readonly (readonly [string, number])[] {
  return [...state].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function storeFile() {
  const directory = mkdtempSync(join(tmpdir(), 'range-'));
  let store: Store | undefined;
  return {
    open: (): Store => {
      store?.close();
      store = openStore({
        path: join(directory, 'store.db'),
        now: Date.now,
        history: LIMITS,
        onListenerError: (error) => {
          throw error;
        },
      });
      return store;
    },
    [Symbol.dispose]: () => {
      store?.close();
      rmSync(directory, { recursive: true });
    },
  };
}
