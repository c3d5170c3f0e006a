import { follow, isKubeError, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject, WatchEvent } from '@smalt/kubernetes';

interface Waiter {
  readonly count: number;
  readonly resolve: () => void;
}

/**
 * Follows all objects of a kind by one watch and tells when so many of them are as wanted. That costs the server, so it is
 * not kept open while the server is measured.
 */
export class ObjectCount<T extends KubernetesObject> implements AsyncDisposable {
  readonly #isWanted: (object: T) => boolean;
  readonly #wanted = new Set<string>();
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;

  constructor(client: KubeClient, kind: KindReference<T>, isWanted: (object: T) => boolean) {
    this.#isWanted = isWanted;
    this.#reading = this.#read(client, kind);
  }

  get count(): number {
    return this.#wanted.size;
  }

  /** Resolves once at least so many are as wanted. */
  async until(count: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.count >= count) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { count, resolve };
    const giveUp = (): void => reject(new Error(`${this.count} of ${count} seen in time`, { cause: signal.reason }));
    this.#waiters.add(waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    // A watch that ended would never see anything.
    this.#reading.catch(reject);
    try {
      await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal.removeEventListener('abort', giveUp);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    // Why it ended before, whoever waited has heard.
    await Promise.allSettled([this.#reading]);
  }

  async #read(client: KubeClient, kind: KindReference<T>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for await (const events of follow(client.resource(kind), { signal })) this.#take(events);
      } catch (error) {
        if (signal.aborted) return;
        // A server that hundreds of hosts connect to at once has no time for us yet, and ends watches that wait for long.
        if (!isKubeError(error, 'timeout', 'bad-answer')) throw error;
        this.#wanted.clear();
      }
    }
  }

  #take(events: readonly WatchEvent<T>[]): void {
    for (const event of events) this.#count(event);
    for (const { count, resolve } of this.#waiters) if (this.count >= count) resolve();
  }

  #count(event: WatchEvent<T>): void {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') return;
    const { name } = event.object.metadata;
    if (event.type !== 'DELETED' && this.#isWanted(event.object)) this.#wanted.add(name);
    else this.#wanted.delete(name);
  }
}
