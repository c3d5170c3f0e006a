import { follow, isExpired, type KubeClient } from '@smalt/kube';
import type { WatchEvent } from '@smalt/kubernetes';
import { ovsNodeKind, type OVSNode, type OVSNodeStatus } from '@smalt/ovs-api';

/** What an OVSNode has said, in the order in which it was said; from the API server's own watch. */
export class OvsNodeWatch implements AsyncDisposable {
  readonly #name: string;
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;
  readonly #wakers = new Set<() => void>();
  #history: OVSNodeStatus[] = [];

  constructor(client: KubeClient, name: string) {
    this.#name = name;
    this.#reading = this.#read(client);
  }

  /** The last status; empty while there is none. */
  get status(): OVSNodeStatus {
    return this.#history.at(-1) ?? {};
  }

  /** All that was said since `forget`. */
  get history(): readonly OVSNodeStatus[] {
    return this.#history;
  }

  /** Begins a new history with what is said now. */
  forget(): void {
    this.#history = this.#history.slice(-1);
  }

  /** Waits until the status is as wanted, and gives it; fails with the last one after so long. */
  async until(
    what: string,
    isSo: (status: OVSNodeStatus) => boolean,
    timeoutMs: number = 10_000,
  ): Promise<OVSNodeStatus> {
    const deadline = AbortSignal.timeout(timeoutMs);
    while (!isSo(this.status)) {
      if (deadline.aborted) throw new Error(`${this.#name}: not ${what} in ${timeoutMs} ms: ${summary(this.status)}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      this.#wakers.add(wake);
      deadline.addEventListener('abort', wake, { once: true });
      await promise;
      this.#wakers.delete(wake);
    }
    return this.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#reading;
  }

  async #read(client: KubeClient): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for await (const events of follow(client.resource(ovsNodeKind), { signal })) this.#takeAll(events);
      } catch (error) {
        // A server that was started anew may have forgotten what was before.
        if (!signal.aborted && !isExpired(error)) throw error;
      }
    }
  }

  #takeAll(events: readonly WatchEvent<OVSNode>[]): void {
    for (const event of events) this.#take(event);
  }

  #take(event: WatchEvent<OVSNode>): void {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') return;
    const { metadata, status } = event.object;
    if (metadata.name !== this.#name || status === undefined) return;
    this.#history.push(status);
    for (const wake of this.#wakers) wake();
  }
}

/** A condition as `True/Healthy`. */
export function conditionOf(status: OVSNodeStatus, type: string): string {
  const found = status.conditions?.find((condition) => condition.type === type);
  return `${found?.status}/${found?.reason}`;
}

function summary({ conditions = [], issues = [], bridges = [] }: OVSNodeStatus): string {
  const told = conditions.map(({ type, status, reason, message }) => `${type}=${status}/${reason} ${message}`);
  return JSON.stringify({ told, issues, bridges }, undefined, 1);
}
