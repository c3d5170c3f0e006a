import { follow, isExpired, isKubeError, type KubeError, type ResourceClient, type SelectOptions } from '@smalt/kube';
import { INITIAL_EVENTS_END, type KubernetesObject, type WatchEvent } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import { ObjectCache, type Indexer, type ObjectChange } from './object-cache.ts';
import { keyOf } from './object-key.ts';

const FIRST_DELAY_MS = 800;
const LONGEST_DELAY_MS = 30_000;

export interface InformerOptions<T extends KubernetesObject> {
  /** Which objects are of interest; a node's agent has no business with those of others. */
  readonly select?: Omit<SelectOptions, 'signal'> | undefined;
  /** What to keep of an object. Without one, everything but the managed fields, which are half of it and nobody reads. */
  readonly transform?: ((object: T) => T) | undefined;
  readonly onFailure?: ((error: unknown, delayMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

type ChangeHandler<T> = (change: ObjectChange<T>) => void;

/** Keeps a cache like the server's: lists, watches, and lists again when it has missed something. */
export class Informer<T extends KubernetesObject> {
  readonly cache: ObjectCache<T> = new ObjectCache<T>();
  readonly #client: ResourceClient<T>;
  readonly #options: InformerOptions<T>;
  readonly #clock: Clock;
  readonly #handlers = new Set<ChangeHandler<T>>();
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;
  #hasWatchList = true;

  constructor(client: ResourceClient<T>, options: InformerOptions<T> = {}) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether the cache has had all objects once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
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

  /** Calls back for every change from now on, and at once for every object that is known. */
  onChange(handler: ChangeHandler<T>): void {
    this.#handlers.add(handler);
    for (const current of this.cache.list()) handler({ key: keyOf(current), old: undefined, current });
  }

  /** Runs until the signal fires. Failures are told to `onFailure` and tried again, later each time. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const resourceVersion = await this.#fill(signal);
        failures = 0;
        await this.#follow(resourceVersion, signal);
      } catch (error) {
        if (signal.aborted) return;
        // To have missed something is no failure: list again at once, but not in a tight circle.
        const delayMs = isExpired(error) && failures === 0 ? 0 : this.#delayMs(failures);
        failures++;
        this.#options.onFailure?.(error, delayMs);
        await this.#clock.wait(delayMs, signal).catch(() => undefined);
      }
    }
  }

  #delayMs(failures: number): number {
    const random = this.#options.random ?? Math.random;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + random() / 2);
  }

  /** Fills the cache, and returns the version it shows then. */
  async #fill(signal: AbortSignal): Promise<string> {
    if (this.#hasWatchList) {
      try {
        return await this.#fillByWatch(signal);
      } catch (error) {
        if (!isKubeError(error, 'bad-request', 'invalid', 'unsupported')) throw error;
        this.#hasWatchList = false;
      }
    }
    return await this.#fillByList(signal);
  }

  // A watch that begins with all objects costs the server less memory than a list, and us no huge text.
  async #fillByWatch(signal: AbortSignal): Promise<string> {
    const objects: T[] = [];
    const watch = this.#client.watch({ ...this.#options.select, sendInitialEvents: true, signal });
    for await (const events of watch) {
      for (const event of events) {
        if (isInitialEnd(event)) return this.#replace(objects, event.object.metadata.resourceVersion ?? '');
        if (event.type === 'ADDED') objects.push(this.#keep(event.object));
      }
    }
    return await this.#fillByList(signal);
  }

  async #fillByList(signal: AbortSignal): Promise<string> {
    const objects: T[] = [];
    let resourceVersion = '';
    for await (const page of this.#client.pages({ ...this.#options.select, signal })) {
      resourceVersion = page.metadata.resourceVersion ?? resourceVersion;
      for (const object of page.items) objects.push(this.#keep(object));
    }
    return this.#replace(objects, resourceVersion);
  }

  #replace(objects: readonly T[], resourceVersion: string): string {
    for (const change of this.cache.replace(objects)) this.#tell(change);
    this.#hasSynced = true;
    this.#synced.resolve();
    return resourceVersion;
  }

  async #follow(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { select, onFailure, random } = this.#options;
    const tellFailure = onFailure && ((error: KubeError, delayMs: number) => onFailure(error, delayMs));
    const options = { ...select, resourceVersion, signal, clock: this.#clock, random, onFailure: tellFailure };
    for await (const events of follow(this.#client, options)) {
      for (const event of events) this.#take(event);
    }
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
    return this.#options.transform === undefined ? withoutManagedFields(object) : this.#options.transform(object);
  }

  #tell(change: ObjectChange<T> | undefined): void {
    if (change === undefined) return;
    for (const handler of this.#handlers) handler(change);
  }
}

function isInitialEnd<T extends KubernetesObject>(event: WatchEvent<T>): event is WatchEvent<T> & { type: 'BOOKMARK' } {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}

function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
