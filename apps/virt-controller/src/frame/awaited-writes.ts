import {
  keyOf,
  requeueAfter,
  type Clock,
  type Informer,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';

/** After so long the cache would have had a write, unless what was written is gone again. */
const LONGEST_MS = 30_000;
const LOOK_MS = 500;

/** Another look soon, in case that the event of a write that is waited for never comes. */
export const awaitWrite: Outcome = requeueAfter(LOOK_MS);

interface WatchedObjects<T extends KubernetesObject> extends Pick<Informer<T>, 'onChange'> {
  readonly cache: Pick<Informer<T>['cache'], 'get'>;
}

interface Awaited {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly until: number;
}

/**
 * What was written and is not in the cache yet. Who decides by a cache that lags behind his own writes does things twice, or
 * has his next write refused.
 */
export class AwaitedWrites<T extends KubernetesObject> {
  readonly #informer: WatchedObjects<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #awaited = new Map<ObjectKey, Awaited>();

  constructor(informer: WatchedObjects<T>, clock: Pick<Clock, 'monotonic'>) {
    this.#informer = informer;
    this.#clock = clock;
    informer.onChange(({ key, current }) => {
      const awaited = this.#awaited.get(key);
      if (awaited !== undefined && (current === undefined || hasReached(current, awaited))) this.#awaited.delete(key);
    });
  }

  /** Takes what the API answered to a write. */
  note(object: T): T {
    const key = keyOf(object);
    const { uid, resourceVersion } = object.metadata;
    const awaited = { uid, resourceVersion, until: this.#clock.monotonic() + LONGEST_MS };
    const seen = this.#informer.cache.get(key);
    if (seen === undefined || !hasReached(seen, awaited)) this.#awaited.set(key, awaited);
    return object;
  }

  /** Whether the cache is behind what was written to this object. */
  isBehind(key: ObjectKey): boolean {
    const awaited = this.#awaited.get(key);
    if (awaited === undefined) return false;
    if (awaited.until > this.#clock.monotonic()) return true;
    this.#awaited.delete(key);
    return false;
  }
}

function hasReached({ metadata }: KubernetesObject, { uid, resourceVersion }: Awaited): boolean {
  if (metadata.uid !== uid) return true;
  // Versions of one kind can be compared as numbers; where they are none, there is nothing to go by.
  if (!isNumber(metadata.resourceVersion) || !isNumber(resourceVersion)) return true;
  return BigInt(metadata.resourceVersion) >= BigInt(resourceVersion);
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/v.test(text);
}
