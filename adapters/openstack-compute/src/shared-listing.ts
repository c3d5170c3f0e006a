import { ComputeError } from '@smalt/compute';

/** What all shared listings of a compute system have in common. */
export interface SharingOptions {
  /** How old a listing may be. */
  readonly listingMs: number;
  readonly clock: { now(): number };
  /** Ends what is being fetched. */
  readonly lifetime: AbortSignal;
}

export interface SharedListingOptions<T> extends SharingOptions {
  /** What it is, in the words of errors. */
  readonly what: string;
  readonly fetch: (signal: AbortSignal) => Promise<T>;
}

interface Fetching<T> {
  /** Own changes made meanwhile, of which the answer may not know yet. */
  readonly changes: ((value: T) => void)[];
  done: { readonly value: T; readonly at: number } | undefined;
}

interface Flight<T> {
  readonly fetching: Fetching<T>;
  readonly promise: Promise<T>;
}

/** A listing that is fetched once for all who ask at about the same time. */
export class SharedListing<T> {
  readonly #options: SharedListingOptions<T>;
  #current: Flight<T> | undefined;

  constructor(options: SharedListingOptions<T>) {
    this.#options = options;
  }

  /** What is being fetched, or was a moment ago. A failure is everybody's who waits; the next one tries again. */
  async value(signal: AbortSignal): Promise<T> {
    if (this.#current === undefined || this.#isOld(this.#current)) this.#current = this.#start();
    return await this.#wait(this.#current.promise, signal);
  }

  /** The listing as it is now: none is taken whose fetching began before this call. */
  async fresh(signal: AbortSignal): Promise<T> {
    const earlier = this.#current;
    // Whoever else waits for the same flight to end shares the next one.
    if (earlier !== undefined) await this.#wait(Promise.allSettled([earlier.promise]), signal);
    if (this.#current === earlier || this.#current === undefined) this.#current = this.#start();
    return await this.#wait(this.#current.promise, signal);
  }

  /** Notes an own change, so that nobody is told of what was before it. */
  change(apply: (value: T) => void): void {
    const fetching = this.#current?.fetching;
    if (fetching?.done === undefined) fetching?.changes.push(apply);
    else apply(fetching.done.value);
  }

  /** Makes the next one fetch it anew. */
  forget(): void {
    this.#current = undefined;
  }

  #isOld({ fetching: { done } }: Flight<T>): boolean {
    return done !== undefined && this.#options.clock.now() - done.at > this.#options.listingMs;
  }

  #start(): Flight<T> {
    const fetching: Fetching<T> = { changes: [], done: undefined };
    const flight: Flight<T> = { fetching, promise: this.#fetch(fetching) };
    // The failure itself reaches whoever waits; here it only must not be remembered.
    flight.promise.catch(() => {
      if (this.#current === flight) this.#current = undefined;
    });
    return flight;
  }

  async #fetch(fetching: Fetching<T>): Promise<T> {
    const value = await this.#options.fetch(this.#options.lifetime);
    for (const apply of fetching.changes) apply(value);
    fetching.done = { value, at: this.#options.clock.now() };
    return value;
  }

  async #wait<V>(promise: Promise<V>, signal: AbortSignal): Promise<V> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      const { what } = this.#options;
      reject(new ComputeError('aborted', `${what}: given up by the caller`, { cause: signal.reason }));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([aborted, promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
