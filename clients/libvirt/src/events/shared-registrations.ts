import type { CallOptions } from '../procedure.ts';
import type { EventRegistration } from './event-registration.ts';

interface Shared {
  users: number;
  callbackID: number | undefined;
  /** Who is told of the callback id as soon as there is one. */
  readonly waiting: ((callbackID: number) => void)[];
  /** Settles with the daemon's answer to the registration. */
  registered: Promise<unknown>;
}

/**
 * A daemon takes one registration per kind and object from a connection and refuses a second. Iterators that want the
 * same therefore share one: the first registers, the last deregisters.
 */
export class SharedRegistrations {
  readonly #shared = new Map<string, Shared>();
  /** Registrations that are being taken back; until the daemon has done so it would refuse the same anew. */
  readonly #ending = new Map<string, Promise<unknown>>();

  /** The registration as one of several users sees it. Those with the same key share it. */
  share<Event>(key: string, registration: EventRegistration<Event>): EventRegistration<Event> {
    return {
      ...registration,
      register: (options, onCallbackID) => this.#register(key, registration, options, onCallbackID),
      deregister: (callbackID, options) => this.#deregister(key, registration, callbackID, options),
    };
  }

  #register(
    key: string,
    registration: EventRegistration<unknown>,
    options: CallOptions,
    onCallbackID: (callbackID: number) => void,
  ): Promise<unknown> {
    const known = this.#shared.get(key);
    if (known === undefined) return this.#first(key, registration, options, onCallbackID);
    known.users++;
    if (known.callbackID === undefined) known.waiting.push(onCallbackID);
    else onCallbackID(known.callbackID);
    return known.registered;
  }

  #first(
    key: string,
    registration: EventRegistration<unknown>,
    options: CallOptions,
    onCallbackID: (callbackID: number) => void,
  ): Promise<unknown> {
    const shared: Shared = { users: 1, callbackID: undefined, waiting: [onCallbackID], registered: Promise.resolve() };
    this.#shared.set(key, shared);
    const ask = (): Promise<unknown> =>
      registration.register(options, (callbackID) => {
        shared.callbackID = callbackID;
        for (const tell of shared.waiting) tell(callbackID);
      });
    const ending = this.#ending.get(key);
    shared.registered = (ending === undefined ? ask() : ending.then(ask)).catch((error: unknown) => {
      this.#shared.delete(key);
      throw error;
    });
    return shared.registered;
  }

  async #deregister(
    key: string,
    registration: EventRegistration<unknown>,
    callbackID: number,
    options: CallOptions,
  ): Promise<void> {
    const shared = this.#shared.get(key);
    if (shared !== undefined && --shared.users > 0) return;
    this.#shared.delete(key);
    const done = registration.deregister(callbackID, options);
    // Whoever asks for the same again only waits; what went wrong is for the one who deregisters.
    const settled = done.catch(() => undefined).finally(() => this.#ending.delete(key));
    this.#ending.set(key, settled);
    await done;
  }
}
