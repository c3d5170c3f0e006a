import type { Clock } from '../clock.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { CallOptions } from '../procedure.ts';

/** Who waits for a connection, and for how long. */
export interface WaitLimits extends CallOptions {
  /**
   * The call, or the first registration of a subscription, that waits. Only these are limited in number: a subscription
   * that has begun must not be lost because of them.
   */
  readonly procedure?: string;
}

/** Those who wait for a connection: a bounded number of calls, each for a bounded time, and running subscriptions. */
export class LinkWaiters<Link> {
  readonly #clock: Clock;
  readonly #maxCalls: number;
  readonly #waiters = new Set<Waiter<Link>>();
  #calls = 0;

  constructor(clock: Clock, maxCalls: number) {
    this.#clock = clock;
    this.#maxCalls = maxCalls;
  }

  /** `why` is asked for the latest trouble when the waiting ends without a connection. */
  async wait(limits: WaitLimits, why: () => LibvirtError | undefined): Promise<Link> {
    const { signal, timeoutMs, procedure } = limits;
    if (signal?.aborted === true) throw givenUp(signal, procedure);
    const calls = procedure === undefined ? 0 : 1;
    if (this.#calls + calls > this.#maxCalls) throw tooMany(this.#maxCalls, why(), procedure);
    const waiter: Waiter<Link> = Promise.withResolvers<Link>();
    const onAbort = (): void => waiter.reject(signal ? givenUp(signal, procedure) : undefined);
    const cancel =
      timeoutMs === undefined
        ? undefined
        : this.#clock.schedule(() => waiter.reject(expired(timeoutMs, why(), procedure)), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    this.#waiters.add(waiter);
    this.#calls += calls;
    try {
      return await waiter.promise;
    } finally {
      cancel?.();
      signal?.removeEventListener('abort', onAbort);
      this.#waiters.delete(waiter);
      this.#calls -= calls;
    }
  }

  resolveAll(link: Link): void {
    for (const waiter of this.#waiters) waiter.resolve(link);
  }

  rejectAll(error: LibvirtError): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}

type Waiter<Link> = PromiseWithResolvers<Link>;

function givenUp(signal: AbortSignal, procedure: string | undefined): LibvirtError {
  return new LibvirtError('aborted', 'waiting for the connection was given up', { cause: signal.reason, procedure });
}

function tooMany(max: number, cause: LibvirtError | undefined, procedure: string | undefined): LibvirtError {
  return new LibvirtError('queue-full', `${max} calls wait for the connection already`, { cause, procedure });
}

function expired(timeoutMs: number, cause: LibvirtError | undefined, procedure: string | undefined): LibvirtError {
  const trouble = cause === undefined ? '' : `: ${cause.message}`;
  return new LibvirtError('timeout', `no connection within ${timeoutMs} ms${trouble}`, { cause, procedure });
}
