import { follow, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject, WatchEvent } from '@smalt/kubernetes';

interface Waiter<T> {
  readonly isSeen: (object: T) => boolean;
  readonly resolve: (at: number) => void;
}

/** Follows all objects of a kind, whose names differ, by one watch and tells when something is to be seen on one of them. */
export class ObjectWatch<T extends KubernetesObject> implements AsyncDisposable {
  readonly #current = new Map<string, T>();
  readonly #waiters = new Map<string, Set<Waiter<T>>>();
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;
  #changedAt = 0;

  constructor(client: KubeClient, kind: KindReference<T>) {
    this.#reading = this.#read(client, kind);
  }

  /** How many milliseconds ago the last change came. */
  get quietMs(): number {
    return performance.now() - this.#changedAt;
  }

  /** Resolves with the time at which the change was seen, by the clock of `performance.now`. */
  async until(name: string, isSeen: (object: T) => boolean, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const current = this.#current.get(name);
    if (current !== undefined && isSeen(current)) return performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiters = this.#waiters.get(name) ?? new Set();
    this.#waiters.set(name, waiters);
    const waiter = { isSeen, resolve };
    const giveUp = (): void => reject(new Error(`not seen on ${name} in time`, { cause: signal.reason }));
    waiters.add(waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    // A watch that ended would never see anything.
    this.#reading.catch(reject);
    try {
      return await promise;
    } finally {
      waiters.delete(waiter);
      signal.removeEventListener('abort', giveUp);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#reading;
  }

  async #read(client: KubeClient, kind: KindReference<T>): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for await (const events of follow(client.resource(kind), { signal })) {
        const at = performance.now();
        for (const event of events) this.#take(event, at);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #take(event: WatchEvent<T>, at: number): void {
    if (event.type === 'DELETED') this.#current.delete(event.object.metadata.name);
    if (event.type === 'ADDED' || event.type === 'MODIFIED') this.#see(event.object, at);
  }

  #see(object: T, at: number): void {
    const { name } = object.metadata;
    this.#changedAt = at;
    this.#current.set(name, object);
    for (const { isSeen, resolve } of this.#waiters.get(name) ?? []) if (isSeen(object)) resolve(at);
  }
}
