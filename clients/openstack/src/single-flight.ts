import { OpenStackError } from './openstack-error.ts';

/** Something that is got once for all who want it at the same time. */
export class SingleFlight<T> {
  readonly #what: string;
  readonly #get: () => Promise<T>;
  #current: Promise<T> | undefined;

  /** `what` is what it is, in the words of errors. */
  constructor(what: string, get: () => Promise<T>) {
    this.#what = what;
    this.#get = get;
  }

  /**
   * What is being got, or was got before. A failure is everybody's who waits, but the next one tries again. Who gives up
   * is alone with that: it goes on being got for the others.
   */
  async value(signal: AbortSignal | undefined): Promise<T> {
    this.#current ??= this.#start();
    return await this.#wait(this.#current, signal);
  }

  /** Makes the next one get it anew. */
  forget(): void {
    this.#current = undefined;
  }

  #start(): Promise<T> {
    const current = this.#get();
    const forget = (): void => {
      if (this.#current === current) this.#current = undefined;
    };
    // The failure itself reaches whoever waits; here it only must not be remembered.
    current.then(undefined, forget);
    return current;
  }

  async #wait(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (signal === undefined) return await promise;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      reject(new OpenStackError('aborted', `${this.#what}: given up by the caller`, { cause: signal.reason }));
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
