import type { KubernetesObject } from '@smalt/kubernetes';

import { keyOf, type ObjectKey } from './object-key.ts';

/** Reads objects from memory. What is handed out belongs to the cache and is frozen. */
export interface ObjectReader<T extends KubernetesObject> {
  get(key: ObjectKey): T | undefined;
  /** All objects that are known, in no order. */
  list(): readonly T[];
  /** The objects that an index has under a value. */
  byIndex(index: string, value: string): readonly T[];
}

/** Under which values an object is found; none if it is not to be found. */
export type Indexer<T> = (object: T) => readonly string[];

/** How an object came to be different from what was known; `old` is what was known. */
export interface ObjectChange<T> {
  readonly key: ObjectKey;
  readonly old: T | undefined;
  readonly current: T | undefined;
}

/** All objects of a kind that an informer knows, by key and by the values of its indexes. */
export class ObjectCache<T extends KubernetesObject> implements ObjectReader<T> {
  readonly #objects = new Map<ObjectKey, T>();
  readonly #indexes = new Map<string, { readonly indexer: Indexer<T>; readonly keys: Map<string, Set<ObjectKey>> }>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(index: string, value: string): readonly T[] {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new TypeError(`there is no index "${index}": add it first`);
    const keys = found.keys.get(value);
    if (keys === undefined) return [];
    return Array.from(keys, (key) => this.#objects.get(key)).filter((object) => object !== undefined);
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Adds an index; objects that are there already are found by it as well. Indexers are pure. */
  addIndex(name: string, indexer: Indexer<T>): void {
    if (this.#indexes.has(name)) throw new TypeError(`there is an index "${name}" already`);
    const keys = new Map<string, Set<ObjectKey>>();
    this.#indexes.set(name, { indexer, keys });
    for (const [key, object] of this.#objects) addKey(keys, key, indexer(object));
  }

  /** Puts an object in, unless it is known already. Returns what changed. */
  put(object: T): ObjectChange<T> | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old !== undefined && isSameVersion(old, object)) return undefined;
    this.#index(key, old, object);
    this.#objects.set(key, object);
    return { key, old, current: object };
  }

  remove(key: ObjectKey): ObjectChange<T> | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#index(key, old, undefined);
    this.#objects.delete(key);
    return { key, old, current: undefined };
  }

  /** Makes these the objects that are known. Returns what changed. */
  replace(objects: readonly T[]): readonly ObjectChange<T>[] {
    const present = new Set(objects.map(keyOf));
    const gone = [...this.#objects.keys()].filter((key) => !present.has(key));
    const changes = [...gone.map((key) => this.remove(key)), ...objects.map((object) => this.put(object))];
    return changes.filter((change) => change !== undefined);
  }

  // All indexers are asked before anything changes: one that throws leaves the cache as it was.
  #index(key: ObjectKey, old: T | undefined, current: T | undefined): void {
    const moves = Array.from(this.#indexes.values(), ({ indexer, keys }) => ({
      keys,
      before: old === undefined ? [] : indexer(old),
      after: current === undefined ? [] : indexer(current),
    }));
    for (const { keys, before, after } of moves) {
      removeKey(keys, key, before);
      addKey(keys, key, after);
    }
  }
}

function isSameVersion(a: KubernetesObject, b: KubernetesObject): boolean {
  const { uid, resourceVersion } = a.metadata;
  return resourceVersion !== undefined && resourceVersion === b.metadata.resourceVersion && uid === b.metadata.uid;
}

function addKey(keys: Map<string, Set<ObjectKey>>, key: ObjectKey, values: readonly string[]): void {
  for (const value of values) {
    const set = keys.get(value);
    if (set === undefined) keys.set(value, new Set([key]));
    else set.add(key);
  }
}

function removeKey(keys: Map<string, Set<ObjectKey>>, key: ObjectKey, values: readonly string[]): void {
  for (const value of values) {
    const set = keys.get(value);
    set?.delete(key);
    if (set?.size === 0) keys.delete(value);
  }
}
