import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { follow, type KubeClient } from '@smalt/kube';
import type { WatchEvent } from '@smalt/kubernetes';

type Question = (hypervisor: Hypervisor) => boolean;

interface Waiter {
  readonly isWanted: Question;
  readonly count: number;
  readonly names: Set<string>;
  readonly resolve: (at: number) => void;
}

/** Follows all Hypervisors by one watch, and tells when so many of them are as wanted. */
export class FleetWatch implements AsyncDisposable {
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;

  constructor(client: KubeClient) {
    this.#reading = this.#read(client);
  }

  /** Resolves with the time, by the clock of `performance.now`, at which so many were first seen to be so from now on. */
  async untilSeen(count: number, isWanted: Question, signal: AbortSignal): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiter: Waiter = { isWanted, count, names: new Set(), resolve };
    const giveUp = (): void => {
      reject(new Error(`${waiter.names.size} of ${count} seen in time`, { cause: signal.reason }));
    };
    this.#waiters.add(waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#reading.catch(reject);
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
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
    if (event.type === 'ADDED' || event.type === 'MODIFIED') this.#see(event.object, at);
  }

  #see(hypervisor: Hypervisor, at: number): void {
    for (const { isWanted, count, names, resolve } of this.#waiters) {
      if (isWanted(hypervisor)) names.add(hypervisor.metadata.name);
      if (names.size >= count) resolve(at);
    }
  }
}

/** Whether a Hypervisor has a condition with that status and reason. */
export function hasCondition({ status }: Hypervisor, type: string, value: string, reason: string): boolean {
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found?.status === value && found.reason === reason;
}
