import type { KubernetesObject } from '@smalt/kubernetes';

import type { Clock } from './clock.ts';
import type { Informer, InformerLists } from './informer.ts';
import { keyOf, type ObjectKey } from './object-key.ts';

/**
 * A list that was begun so long after a write has it, unless that is gone again: unseen, or with a store that was put back. One that
 * was begun earlier may come from a server that is behind, however long ago that is by now.
 */
const LIST_LAG_MS = 30_000;

/**
 * After so long, as a rule, a client has given up a watch that hangs, and the next, which goes on where that one was, has brought what it
 * missed. Where the API cannot be reached for longer, what is decided then goes by an old cache.
 */
const LONGEST_MS = 180_000;

/**
 * Where writes are waited for. Without `onChange` it is looked only when somebody asks; without `lists` no list counts. Lists
 * without `keptBegunAt` are taken for new: only of a server that is never behind.
 */
interface WatchedObjects<T extends KubernetesObject> extends Partial<Pick<Informer<T>, 'onChange'>> {
  readonly lists?: Pick<InformerLists, 'begun' | 'kept'> & Partial<InformerLists>;
  readonly cache: Pick<Informer<T>['cache'], 'get'>;
}

/** Which object a write was to, and which version of it that has made. */
interface Version {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

interface Awaited extends Version {
  readonly since: number;
  /** How many lists had been begun by then. */
  readonly afterList: number;
}

/**
 * What was written and is not in the cache yet. Who decides by a cache that lags behind his own writes does things twice, or
 * has his next write refused.
 */
export class AwaitedWrites<T extends KubernetesObject> {
  readonly #objects: WatchedObjects<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #awaited = new Map<ObjectKey, Awaited>();

  /** The clock has to be that of the informer, by which it says when a list was begun. */
  constructor(objects: WatchedObjects<T>, clock: Pick<Clock, 'monotonic'>) {
    this.#objects = objects;
    this.#clock = clock;
    objects.onChange?.(({ key, current }) => {
      const awaited = this.#awaited.get(key);
      if (awaited !== undefined && (current === undefined || hasReached(current, awaited))) this.#awaited.delete(key);
    });
  }

  /** Takes what the API answered to a write. */
  note(object: T): T {
    this.expect(keyOf(object), object.metadata);
    return object;
  }

  /** Waits for a version that a write has made. */
  expect(key: ObjectKey, { uid, resourceVersion }: Version): void {
    const { cache, lists } = this.#objects;
    const awaited = { uid, resourceVersion, since: this.#clock.monotonic(), afterList: lists?.begun ?? 0 };
    const seen = cache.get(key);
    if (seen === undefined || !hasReached(seen, awaited)) this.#awaited.set(key, awaited);
  }

  /** Whether the cache is behind what was written to this object. */
  isBehind(key: ObjectKey): boolean {
    const awaited = this.#awaited.get(key);
    if (awaited === undefined) return false;
    const seen = this.#objects.cache.get(key);
    const isOver = this.#isTooOld(awaited) || (seen !== undefined && hasReached(seen, awaited));
    if (isOver) this.#awaited.delete(key);
    return !isOver;
  }

  /** Whether the cache has all that there is, and still not what was written. */
  #isTooOld({ since, afterList }: Awaited): boolean {
    const now = this.#clock.monotonic();
    if (now - since >= LONGEST_MS) return true;
    const { kept = 0, keptBegunAt = now } = this.#objects.lists ?? {};
    return kept > afterList && keptBegunAt >= since + LIST_LAG_MS;
  }

  /** Waits no longer for what was written to an object, which is gone. */
  forget(key: ObjectKey): void {
    this.#awaited.delete(key);
  }
}

function hasReached({ metadata }: KubernetesObject, { uid, resourceVersion }: Version): boolean {
  if (metadata.uid !== uid) return true;
  // Versions of one kind can be compared as numbers; where they are none, there is nothing to go by.
  if (!isNumber(metadata.resourceVersion) || !isNumber(resourceVersion)) return true;
  return BigInt(metadata.resourceVersion) >= BigInt(resourceVersion);
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/v.test(text);
}
