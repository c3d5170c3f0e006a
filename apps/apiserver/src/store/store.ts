import { isDeeperThan, isJsonObject, printJson, type JsonObject } from '@smalt/json';

import { Batch } from './batch.ts';
import { Checkpoints } from './checkpoints.ts';
import { ALL_RESOURCES, Database } from './database.ts';
import { DEFAULT_HISTORY_LIMITS, type HistoryLimits } from './history-limits.ts';
import { History } from './history.ts';
import { Listeners, type Concern, type StoreListener } from './listeners.ts';
import { SortedMap } from './sorted-map.ts';
import { isStoreError, StoreError } from './store-error.ts';
import type { StoreEvent } from './store-event.ts';
import { StoredObject } from './stored-object.ts';
import { ValueCache } from './value-cache.ts';

// As much as etcd takes by default, which is what clients have learned to stay below.
const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;
// What is deeper could be written and never be read again: reading takes more of the stack than writing.
const MAX_DEPTH = 1000;
// UTF-8 takes at most so many bytes for each unit of a string.
const MAX_BYTES_PER_UNIT = 3;

export interface StoreOptions {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly history?: Partial<HistoryLimits>;
  /** Is told when the log could not be moved into the file. Nothing is lost: it is tried again after further writes. */
  readonly onCheckpointError?: (error: unknown) => void;
  /** Is told when a listener throws; the store goes on, and so do the other listeners. */
  readonly onListenerError: (error: unknown) => void;
}

/** What is to become of one object. */
export interface Write {
  /** The name under which objects of a kind are kept, such as `machines.bench.example.dev`. */
  readonly resource: string;
  /** `namespace/name` */
  readonly key: string;
  /** What the writer saw. When something else is there by now, nothing is written. */
  readonly expected: StoredObject | undefined;
  /** The new object; undefined deletes it. Its resourceVersion is set by the store. */
  readonly object: JsonObject | undefined;
  readonly shape?: object;
  /** Stored with the object: which form it is in, as a number. */
  readonly form?: number | undefined;
}

/** Opens the store in a file, and makes it when there is none. Throws a StoreError when the file cannot be used. */
export function openStore(options: StoreOptions): Store {
  return new Store(options);
}

/**
 * All objects, in memory and in a file. A write is decided at once, against everything that was written before, and
 * becomes durable with all others of the same turn of the event loop; only then its promise is kept and listeners hear
 * of it. When that fails, it is as if none of them had been tried.
 */
export class Store implements AsyncDisposable {
  readonly #options: StoreOptions;
  readonly #database: Database;
  readonly #history: History;
  readonly #values = new ValueCache();
  readonly #readBytes = (resourceVersion: number): Buffer => this.#database.readObject(resourceVersion);
  readonly #objects = new Map<string, SortedMap<StoredObject>>();
  readonly #listeners = new Map<string, Listeners>();
  readonly #checkpoints: Checkpoints;
  #batch: Batch | undefined;
  #resourceVersion: number;
  #durableResourceVersion: number;
  /** Nothing is known of any resource before this version. */
  #oldest = 0;
  #failure: StoreError | undefined;
  #isClosed = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#database = new Database(options.path);
    this.#checkpoints = new Checkpoints(this.#database, (error) => options.onCheckpointError?.(error));
    const limits = { ...DEFAULT_HISTORY_LIMITS, ...options.history };
    this.#history = new History(limits, this.#readBytes, (resource) => this.#objects.has(resource));
    try {
      this.#resourceVersion = this.#load();
      this.#durableResourceVersion = this.#resourceVersion;
    } catch (error) {
      this.#database.close();
      throw isStoreError(error) ? error : damaged(options.path, error);
    }
  }

  /** The newest resourceVersion, that of writes which are not durable yet included. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  /** The newest resourceVersion that listeners have been told about. */
  get durableResourceVersion(): number {
    return this.#durableResourceVersion;
  }

  /** The object as it is after all writes, also those that are not durable yet; see `settled`. */
  get(resource: string, key: string): StoredObject | undefined {
    return this.#objects.get(resource)?.get(key);
  }

  /** The objects whose keys are not before `from`, and before `to` when that is given, in the order of their keys. */
  range(resource: string, from?: string, to?: string): StoredObject[] {
    return this.#objects.get(resource)?.range(from, to) ?? [];
  }

  count(resource: string): number {
    return this.#objects.get(resource)?.size ?? 0;
  }

  /** The names of all resources that have objects. */
  resources(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /**
   * Tells whether what was read before the call can be shown: true once every write it contains is durable, false when
   * they were undone and the reader has to read again. Undefined means that there is nothing to wait for.
   */
  settled(): Promise<boolean> | undefined {
    return this.#batch?.settled;
  }

  /**
   * Writes one object. Undefined means that the writer did not see the newest state and has to decide anew. The promise
   * resolves when the write is durable, and rejects with a StoreError when it was undone. Throws a StoreError when the
   * object is larger than 1.5 MiB or nested too deep.
   */
  write(write: Write): Promise<StoredObject> | undefined {
    if (this.#isClosed) throw new StoreError('closed', 'the store is closed');
    const current = this.get(write.resource, write.key);
    if (current !== write.expected) return undefined;
    const object = this.#nextObject(write, current);
    if (write.object === undefined) this.#removeObject(write.resource, write.key);
    else this.#objectsOf(write.resource).set(write.key, object);
    const batch = this.#openBatch();
    const changed = current === undefined ? 'ADDED' : 'MODIFIED';
    batch.events.push({
      type: write.object === undefined ? 'DELETED' : changed,
      resource: write.resource,
      resourceVersion: object.resourceVersion,
      time: this.#options.now(),
      object,
      previous: current,
    });
    return batch.durable.then(() => object);
  }

  /** The oldest resourceVersion after which every event of a resource is known. */
  compactedTo(resource: string): number {
    return Math.max(this.#history.find(resource)?.compactedTo ?? 0, this.#oldest);
  }

  /** The durable events after a resourceVersion, oldest first; undefined when some of them are gone. */
  eventsAfter(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.compactedTo(resource)) return undefined;
    return this.#history.find(resource)?.after(resourceVersion) ?? [];
  }

  /**
   * What the objects that have changed since then were at a resourceVersion, by key; undefined stands for one that did
   * not exist. The whole answer is undefined when the past does not reach back so far.
   */
  changesSince(resource: string, resourceVersion: number): Map<string, StoredObject | undefined> | undefined {
    const events = this.eventsAfter(resource, resourceVersion);
    if (events === undefined) return undefined;
    const pending = this.#batch?.events.filter((event) => event.resource === resource) ?? [];
    const before = new Map<string, StoredObject | undefined>();
    for (const event of [...events, ...pending].toReversed()) before.set(event.object.key, event.previous);
    return before;
  }

  /**
   * Calls the listener with the events of a resource from the next commit on, until the returned function is called; with a
   * concern at least with those of objects that are or were of concern.
   */
  subscribe(resource: string, listener: StoreListener, concern?: Concern): () => void {
    const listeners = this.#listeners.get(resource) ?? new Listeners();
    this.#listeners.set(resource, listeners);
    const remove = listeners.add(listener, concern);
    return () => {
      remove();
      if (listeners.isEmpty && this.#listeners.get(resource) === listeners) this.#listeners.delete(resource);
    };
  }

  /** Makes everything durable that was written up to now, or undoes it; the writers are told which. */
  flush(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    batch.cancel();
    const touched = new Set(batch.events.map((event) => event.resource));
    const plan = this.#history.planForgetting(touched, this.#options.now());
    try {
      this.#database.commit({
        events: batch.events,
        forgotten: plan.resourceVersions,
        compactedTo: plan.compactedTo,
        resourceVersion: this.#resourceVersion,
      });
    } catch (error) {
      this.#undo(batch);
      this.#failure = writeFailed(error);
      batch.fail(this.#failure);
      return;
    }
    this.#failure = undefined;
    this.#durableResourceVersion = this.#resourceVersion;
    this.#history.forget(plan);
    for (const event of batch.events) this.#history.append(event);
    batch.succeed();
    for (const resource of touched) this.#announce(resource, batch.events);
    this.#checkpoints.committed();
  }

  /** Throws a StoreError when the newest writes could not be stored and still cannot be. */
  checkWritable(): void {
    if (this.#failure === undefined) return;
    try {
      this.#database.writeCounter(this.#durableResourceVersion);
    } catch (error) {
      throw writeFailed(error);
    }
    this.#failure = undefined;
  }

  /** Writes a consistent copy of the store to a new file. */
  backUp(path: string): void {
    this.flush();
    this.#database.backUp(path);
  }

  /** Makes everything durable and lets go of the file. */
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    this.#isClosed = true;
    this.#checkpoints[Symbol.dispose]();
    this.#database.close();
  }

  // oxlint-disable-next-line typescript/require-await -- the interface wants a promise
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #load(): number {
    this.#database.renumberCopy(this.#options.now());
    const compactions = new Map(this.#database.compactions());
    this.#oldest = compactions.get(ALL_RESOURCES) ?? 0;
    compactions.delete(ALL_RESOURCES);
    let newest = this.#database.resourceVersion();
    for (const [resource, compactedTo] of compactions) this.#history.log(resource, compactedTo);
    for (const row of this.#database.events()) {
      const previous = this.get(row.resource, row.key);
      const { key, resourceVersion, type, resource, time } = row;
      const bytes = { length: row.byteLength, read: this.#readBytes };
      const object = new StoredObject({ key, resourceVersion, bytes, form: row.form });
      if (type === 'DELETED') this.#removeObject(resource, key);
      else this.#objectsOf(resource).set(key, object);
      newest = Math.max(newest, resourceVersion);
      if (resourceVersion <= this.compactedTo(resource)) continue;
      this.#history.append({ type, resource, resourceVersion, time, object, previous });
    }
    return newest;
  }

  #objectsOf(resource: string): SortedMap<StoredObject> {
    let objects = this.#objects.get(resource);
    if (objects === undefined) {
      objects = new SortedMap();
      this.#objects.set(resource, objects);
    }
    return objects;
  }

  #removeObject(resource: string, key: string): void {
    const objects = this.#objects.get(resource);
    objects?.delete(key);
    if (objects?.size === 0) this.#objects.delete(resource);
  }

  #nextObject(write: Write, current: StoredObject | undefined): StoredObject {
    const source = write.object ?? current?.value;
    if (source === undefined) throw new TypeError('there is nothing to delete');
    const resourceVersion = this.#resourceVersion + 1;
    const value = withResourceVersion(source, resourceVersion);
    const shape = write.object === undefined ? current?.shape : write.shape;
    const form = write.object === undefined ? current?.form : write.form;
    const bytes = exactBytes(write.object === undefined ? printJson(value) : printChecked(value));
    this.#resourceVersion = resourceVersion;
    const content = { key: write.key, resourceVersion, bytes, value, form };
    return this.#values.keep(new StoredObject(shape === undefined ? content : { ...content, shape }));
  }

  #openBatch(): Batch {
    this.#batch ??= new Batch(this.#resourceVersion - 1, () => this.flush());
    return this.#batch;
  }

  #undo(batch: Batch): void {
    for (const event of batch.events.toReversed()) {
      if (event.previous === undefined) this.#removeObject(event.resource, event.object.key);
      else this.#objectsOf(event.resource).set(event.object.key, event.previous);
    }
    // Nobody has seen these resourceVersions, so they are free again.
    this.#resourceVersion = batch.resourceVersionBefore;
  }

  #announce(resource: string, events: readonly StoreEvent[]): void {
    const listeners = this.#listeners.get(resource);
    if (listeners === undefined || listeners.isEmpty) return;
    const ofResource = events.filter((event) => event.resource === resource);
    const { onListenerError } = this.#options;
    for (const [listener, own] of listeners.addressed(ofResource, onListenerError)) {
      try {
        listener(own);
      } catch (error) {
        onListenerError(error);
      }
    }
  }
}

function withResourceVersion(object: JsonObject, resourceVersion: number): JsonObject {
  const metadata = object['metadata'];
  const known = isJsonObject(metadata) ? metadata : {};
  return { ...object, metadata: { ...known, resourceVersion: String(resourceVersion) } };
}

function printChecked(value: JsonObject): string {
  const text = printJson(value);
  if (isDeeperThan(text, MAX_DEPTH)) {
    throw new StoreError('too-deep', `the object is nested deeper than ${MAX_DEPTH} levels`);
  }
  const isSmall = text.length * MAX_BYTES_PER_UNIT <= MAX_OBJECT_BYTES;
  if (isSmall || Buffer.byteLength(text) <= MAX_OBJECT_BYTES) return text;
  throw new StoreError('too-large', 'etcdserver: request is too large');
}

// A slice of a shared pool would keep the whole pool alive for as long as the object lives.
function exactBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function writeFailed(error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError('write-failed', `the write was not stored: ${reason}`, { cause: error });
}

function damaged(path: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError('damaged', `${path} is damaged: ${reason}`, { cause: error });
}
