import {
  follow,
  isExpired,
  isInitialEnd,
  isKubeError,
  type FollowOptions,
  type ResourceClient,
  type SelectOptions,
} from '@smalt/kube';
import type { KubernetesObject, WatchEvent } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import { freezeDeeply } from './freeze-deeply.ts';
import { ObjectCache, type Indexer, type ObjectChange } from './object-cache.ts';
import { keyOf } from './object-key.ts';
import { shareStructure } from './share-structure.ts';

const FIRST_DELAY_MS = 800;
const LONGEST_DELAY_MS = 30_000;

export interface InformerOptions<T extends KubernetesObject> {
  /** Which objects are of interest; a node's agent has no business with those of others. */
  readonly select?: Omit<SelectOptions, 'signal'> | undefined;
  /** What to keep of an object. Without one, everything but the managed fields, which are half of it and nobody reads. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Told of everything that went wrong; `delayMs` is how long until the next try. */
  readonly onFailure: (error: unknown, delayMs: number) => void;
  /** Told each time that a watch is there, the first one with all objects: what was missed without one follows at once. */
  readonly onReady?: (() => void) | undefined;
  /** Told when a watch has ended in good order; the next one is asked for at once. */
  readonly onEnd?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** The lists of all objects so far, one after the other; the first is 1. */
export interface InformerLists {
  /** How many were begun. */
  readonly begun: number;
  /** Which of them the cache goes back to; 0 is none. */
  readonly kept: number;
  /** When that one was begun, by the monotonic clock of the informer. */
  readonly keptBegunAt: number | undefined;
}

export type ChangeHandler<T> = (change: ObjectChange<T>) => void;

/** Keeps a cache like the server's: lists, watches, and lists again when it has missed something. */
export class Informer<T extends KubernetesObject> {
  readonly cache: ObjectCache<T> = new ObjectCache<T>();
  readonly #client: ResourceClient<T>;
  readonly #options: InformerOptions<T>;
  readonly #clock: Clock;
  readonly #handlers = new Set<ChangeHandler<T>>();
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;
  readonly #lists: { -readonly [Name in keyof InformerLists]: InformerLists[Name] } = {
    begun: 0,
    kept: 0,
    keptBegunAt: undefined,
  };
  /** Everything up to this version was in the cache. */
  #seen: string | undefined;

  constructor(client: ResourceClient<T>, options: InformerOptions<T>) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether the cache has had all objects once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** How many lists of all objects were begun so far, and which of them the cache goes back to, as it is now. */
  get lists(): InformerLists {
    return this.#lists;
  }

  /** Resolves when the cache has had all objects once; rejects when the signal fires before that. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    if (this.#hasSynced) return;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([this.#synced.promise, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  addIndex(name: string, indexer: Indexer<T>): void {
    this.cache.addIndex(name, indexer);
  }

  /** Calls back for every change from now on, and at once for every object that is known, until the result is called. */
  onChange(handler: ChangeHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const current of this.cache.list()) this.#call(handler, { key: keyOf(current), old: undefined, current });
    return () => void this.#handlers.delete(handler);
  }

  /** Runs until the signal fires. Failures are told to `onFailure` and tried again, later each time. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    const onSync = (): void => void (failures = 0);
    while (!signal.aborted) {
      try {
        await this.#follow(signal, onSync);
      } catch (error) {
        if (signal.aborted) return;
        // The client is disposed of: there will be no next time.
        if (isKubeError(error, 'aborted')) throw error;
        // To have missed something is no failure: list again at once, but not in a tight circle.
        const delayMs = isExpired(error) && failures === 0 ? 0 : this.#delayMs(failures);
        failures++;
        this.#options.onFailure(error, delayMs);
        await this.#clock.wait(delayMs, signal).catch(() => undefined);
      }
    }
  }

  #delayMs(failures: number): number {
    const random = this.#options.random ?? Math.random;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + random() / 2);
  }

  // A watch that begins with all objects costs the server less memory than a list, and us no huge text.
  async #follow(signal: AbortSignal, onSync: () => void): Promise<void> {
    let initial: T[] | undefined = [];
    const list = this.#lists.begun + 1;
    const begunAt = this.#clock.monotonic();
    this.#lists.begun = list;
    for await (const events of follow(this.#client, this.#followOptions(signal))) {
      for (const event of events) {
        if (initial === undefined) this.#take(event);
        else if (event.type === 'ADDED') initial.push(this.#keep(event.object));
        else if (isInitialEnd(event)) {
          Object.assign(this.#lists, { kept: list, keptBegunAt: begunAt });
          this.#replace(initial);
          initial = undefined;
          onSync();
        }
      }
    }
  }

  #followOptions(signal: AbortSignal): FollowOptions {
    const { select, onFailure, onReady, onEnd, random } = this.#options;
    const onSeen = (resourceVersion: string): void => void (this.#seen = resourceVersion);
    const following = { notOlderThan: this.#seen, onSeen, onFailure, onReady, onEnd };
    return { ...select, ...following, signal, clock: this.#clock, random };
  }

  #replace(objects: readonly T[]): void {
    const changes = this.cache.replace(objects);
    // Before anybody is told: whoever looks around then finds all objects, and must not be told that some are missing.
    this.#hasSynced = true;
    for (const change of changes) this.#tell(change);
    this.#synced.resolve();
  }

  #take(event: WatchEvent<T>): void {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        this.#tell(this.cache.put(this.#keep(event.object)));
        return;
      case 'DELETED':
        this.#tell(this.cache.remove(keyOf(event.object)));
        return;
      case 'BOOKMARK':
      case 'ERROR':
    }
  }

  #keep(object: T): T {
    const { transform = withoutManagedFields } = this.#options;
    const kept = transform(object);
    // An event repeats all of a large object of which little has changed.
    return freezeDeeply(shareStructure(this.cache.get(keyOf(kept)), kept));
  }

  #tell(change: ObjectChange<T> | undefined): void {
    if (change === undefined) return;
    for (const handler of this.#handlers) this.#call(handler, change);
  }

  // The cache and the other handlers have nothing to do with a mistake in one of them.
  #call(handler: ChangeHandler<T>, change: ObjectChange<T>): void {
    try {
      handler(change);
    } catch (error) {
      this.#options.onFailure(error, 0);
      // The watch is there all the same.
      this.#options.onReady?.();
    }
  }
}

function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
