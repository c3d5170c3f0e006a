import type { Clock, Informer, ObjectKey } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';

/** After so long the cache would have had it. */
const LONGEST_MS = 30_000;

interface WatchedObjects<T extends KubernetesObject> extends Pick<Informer<T>, 'onChange'> {
  readonly cache: Pick<Informer<T>['cache'], 'get'>;
}

interface Awaited {
  readonly owner: ObjectKey;
  readonly isSeen: (current: KubernetesObject | undefined) => boolean;
  readonly until: number;
}

/** What was made and deleted for owners, and is not in the cache yet. Who counts before that makes or deletes one too many. */
export class AwaitedChanges<T extends KubernetesObject> {
  readonly #objects: WatchedObjects<T>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #awaited = new Map<ObjectKey, Awaited>();

  constructor(objects: WatchedObjects<T>, clock: Pick<Clock, 'monotonic'>) {
    this.#objects = objects;
    this.#clock = clock;
    objects.onChange(({ key, current }) => {
      if (this.#awaited.get(key)?.isSeen(current) === true) this.#awaited.delete(key);
    });
  }

  made(owner: ObjectKey, key: ObjectKey, uid: string | undefined): void {
    this.#await(owner, key, (current) => current !== undefined && current.metadata.uid === uid);
  }

  /** Whether it goes at once or only begins to, it is seen then. */
  deleted(owner: ObjectKey, key: ObjectKey, uid: string | undefined): void {
    const isSeen = (current: KubernetesObject | undefined): boolean =>
      current?.metadata.uid !== uid || current?.metadata.deletionTimestamp !== undefined;
    this.#await(owner, key, isSeen);
  }

  /** Whether the cache has all that was done for an owner. */
  isSeen(owner: ObjectKey): boolean {
    const now = this.#clock.monotonic();
    for (const [key, { until }] of this.#awaited) if (until <= now) this.#awaited.delete(key);
    return ![...this.#awaited.values()].some((awaited) => awaited.owner === owner);
  }

  #await(owner: ObjectKey, key: ObjectKey, isSeen: Awaited['isSeen']): void {
    // The event may have come before the answer.
    if (isSeen(this.#objects.cache.get(key))) this.#awaited.delete(key);
    else this.#awaited.set(key, { owner, isSeen, until: this.#clock.monotonic() + LONGEST_MS });
  }
}
