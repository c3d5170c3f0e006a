import type { StoreEvent } from './store-event.ts';
import type { StoredObject } from './stored-object.ts';

/** Called after each commit with the events of one resource, oldest first. */
export type StoreListener = (events: readonly StoreEvent[]) => void;

/** What all objects have in common that a listener cares for: something in them that is read under a name has one value. */
export interface Concern {
  /** Listeners with the same name share the reading. */
  readonly name: string;
  readonly value: string;
  readonly read: (object: StoredObject) => string | undefined;
}

type Bucket = Set<StoreListener>;

interface Index {
  readonly read: Concern['read'];
  readonly buckets: Map<string, Bucket>;
}

/**
 * The listeners of one resource, found by what they care for. In a fleet each host watches its own objects alone: a change
 * that was shown to all of them would cost the more the more hosts there are.
 */
export class Listeners {
  readonly #all: Bucket = new Set();
  readonly #indexes = new Map<string, Index>();

  get isEmpty(): boolean {
    return this.#all.size === 0 && this.#indexes.size === 0;
  }

  /** Adds a listener, until the returned function is called. */
  add(listener: StoreListener, concern?: Concern): () => void {
    if (concern === undefined) {
      this.#all.add(listener);
      return () => void this.#all.delete(listener);
    }
    const { name, value, read } = concern;
    const index = this.#indexes.get(name) ?? { read, buckets: new Map<string, Bucket>() };
    this.#indexes.set(name, index);
    const bucket = index.buckets.get(value) ?? new Set();
    index.buckets.set(value, bucket);
    bucket.add(listener);
    return () => {
      bucket.delete(listener);
      if (bucket.size === 0 && index.buckets.get(value) === bucket) index.buckets.delete(value);
      if (index.buckets.size === 0 && this.#indexes.get(name) === index) this.#indexes.delete(name);
    };
  }

  /**
   * Each listener with the events that may concern it. One that is gone by its turn is left out. What cannot be read is told
   * to `onError` and may concern everybody.
   */
  *addressed(
    events: readonly StoreEvent[],
    onError: (error: unknown) => void,
  ): Generator<readonly [StoreListener, readonly StoreEvent[]], void> {
    for (const listener of this.#all) yield [listener, events];
    for (const index of this.#indexes.values()) {
      for (const [bucket, own] of sorted(index, events, onError)) for (const listener of bucket) yield [listener, own];
    }
  }
}

function sorted(
  index: Index,
  events: readonly StoreEvent[],
  onError: (error: unknown) => void,
): ReadonlyMap<Bucket, readonly StoreEvent[]> {
  const found = new Map<Bucket, StoreEvent[]>();
  for (const event of events) {
    for (const bucket of bucketsOf(index, event, onError)) {
      const own = found.get(bucket);
      if (own === undefined) found.set(bucket, [event]);
      else own.push(event);
    }
  }
  return found;
}

/** An object that comes into a bucket or leaves it concerns its listeners too. */
function bucketsOf(
  { read, buckets }: Index,
  { object, previous }: StoreEvent,
  onError: (error: unknown) => void,
): Iterable<Bucket> {
  try {
    const values = new Set([read(object), previous === undefined ? undefined : read(previous)]);
    return [...values].flatMap((value) => (value === undefined ? [] : (buckets.get(value) ?? [])));
  } catch (error) {
    // To leave anybody out would be to tell him later that he has seen everything.
    onError(error);
    return buckets.values();
  }
}
