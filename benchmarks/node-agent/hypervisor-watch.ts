import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { follow, type KubeClient } from '@smalt/kube';
import type { WatchEvent } from '@smalt/kubernetes';

interface Waiter {
  readonly isSeen: (hypervisor: Hypervisor) => boolean;
  readonly resolve: (at: number) => void;
}

/** Follows all Hypervisors by one watch and tells when something is to be seen on one of them. */
export class HypervisorWatch implements AsyncDisposable {
  readonly #current = new Map<string, Hypervisor>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;
  #changedAt = 0;

  constructor(client: KubeClient) {
    this.#reading = this.#read(client);
  }

  /** How many milliseconds ago the last change came. */
  get quietMs(): number {
    return performance.now() - this.#changedAt;
  }

  /** Resolves with the time at which the change was seen, by the clock of `performance.now`. */
  async until(name: string, isSeen: (hypervisor: Hypervisor) => boolean, signal: AbortSignal): Promise<number> {
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

  async #read(client: KubeClient): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for await (const events of follow(client.resource(hypervisorKind), { signal })) {
        const at = performance.now();
        for (const event of events) this.#take(event, at);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #take(event: WatchEvent<Hypervisor>, at: number): void {
    if (event.type === 'DELETED') this.#current.delete(event.object.metadata.name);
    if (event.type === 'ADDED' || event.type === 'MODIFIED') this.#see(event.object, at);
  }

  #see(hypervisor: Hypervisor, at: number): void {
    const { name } = hypervisor.metadata;
    this.#changedAt = at;
    this.#current.set(name, hypervisor);
    for (const { isSeen, resolve } of this.#waiters.get(name) ?? []) if (isSeen(hypervisor)) resolve(at);
  }
}
