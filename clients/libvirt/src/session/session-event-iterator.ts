import type { EventIterator } from '../events/event-iterator.ts';
import type { EventOverflow } from '../events/event-queue.ts';
import type { SubscribeOptions } from '../events/event-hub.ts';
import { isAborted, isLibvirtError, isTimeout } from '../libvirt-error.ts';
import type { ConnectionKeeper, KeptConnection, Link } from './connection-keeper.ts';

/** Stands where the connection was lost and found again: events may be missing here, so list anew what matters. */
export interface Resubscribed {
  readonly kind: 'resubscribed';
  readonly lostAt: Date;
  /** From here on no event is missing. */
  readonly restoredAt: Date;
  /** How many attempts it took to connect again. */
  readonly attempt: number;
}

/** Events that go on over reconnects. Leaving the loop ends the registration at the daemon. */
export interface SessionEventIterator<Event>
  extends AsyncIterableIterator<Event | EventOverflow | Resubscribed, undefined>, AsyncDisposable {
  /** The kinds that were asked for but that the daemon does not have; only with `skipUnsupported`. */
  readonly skipped: readonly string[];
  return(): Promise<SessionEventResult<Event>>;
  [Symbol.asyncIterator](): SessionEventIterator<Event>;
}

type SessionEventResult<Event> = IteratorResult<Event | EventOverflow | Resubscribed, undefined>;

export interface SubscriptionParts<Connection extends KeptConnection, Options extends SubscribeOptions, Event> {
  readonly keeper: ConnectionKeeper<Connection>;
  readonly now: () => Date;
  readonly options: Options;
  readonly subscribe: (connection: Connection, options: Options) => Promise<EventIterator<Event>>;
}

/** One subscription in the life of a session: the events of the connection that is up, and of each that follows. */
export class Subscription<
  Connection extends KeptConnection,
  Options extends SubscribeOptions,
  Event,
> implements SessionEventIterator<Event> {
  readonly #parts: SubscriptionParts<Connection, Options, Event>;
  readonly #returned: AbortController;
  #link: Link<Connection>;
  #events: EventIterator<Event>;
  #isOver = false;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    parts: SubscriptionParts<Connection, Options, Event>,
    returned: AbortController,
    link: Link<Connection>,
    events: EventIterator<Event>,
  ) {
    this.#parts = parts;
    this.#returned = returned;
    this.#link = link;
    this.#events = events;
  }

  /** Resolves when the daemon behind `link` has confirmed the registration. */
  static async start<Connection extends KeptConnection, Options extends SubscribeOptions, Event>(
    parts: SubscriptionParts<Connection, Options, Event>,
    link: Link<Connection>,
  ): Promise<Subscription<Connection, Options, Event>> {
    const returned = new AbortController();
    const { signal } = parts.options;
    const either = signal === undefined ? returned.signal : AbortSignal.any([signal, returned.signal]);
    const options: Options = { ...parts.options, signal: either };
    const events = await parts.subscribe(link.connection, options);
    return new Subscription({ ...parts, options }, returned, link, events);
  }

  get skipped(): readonly string[] {
    return this.#events.skipped;
  }

  next(): Promise<SessionEventResult<Event>> {
    const result = this.#turn.then(() => this.#advance());
    // The next turn comes whether this one fails or not; the failure goes to its own caller.
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async return(): Promise<SessionEventResult<Event>> {
    this.#isOver = true;
    const ending = this.#events.return();
    this.#returned.abort();
    await ending;
    await this.#turn;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #advance(): Promise<SessionEventResult<Event>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      return await this.#nextEvent();
    } catch (error) {
      const isOver = this.#isOver;
      this.#isOver = true;
      if (isOver || isLibvirtError(error, 'closed')) return { done: true, value: undefined };
      throw error;
    }
  }

  async #nextEvent(): Promise<SessionEventResult<Event>> {
    try {
      const result = await this.#events.next();
      // An iterator of a connection ends by itself only when that connection is closed on purpose.
      if (result.done !== true) return result;
    } catch (error) {
      if (isAborted(error) || this.#link.connection.reason === undefined) throw error;
    }
    const mark = await this.#resubscribe();
    if (!this.#isOver) return { done: false, value: mark };
    // Who left while the daemon was being asked leaves no registration behind.
    await this.#events.return();
    return { done: true, value: undefined };
  }

  async #resubscribe(): Promise<Resubscribed> {
    const { keeper, now, options } = this.#parts;
    const lost = this.#link;
    for (;;) {
      // Waits for as long as the session lives: the time limit is for calls.
      this.#link = await keeper.nextLink(options.signal === undefined ? {} : { signal: options.signal });
      const events = await this.#trySubscribe();
      if (events !== undefined) {
        this.#events = events;
        const restoredAt = now();
        return { kind: 'resubscribed', lostAt: lost.lostAt ?? restoredAt, restoredAt, attempt: this.#link.attempt };
      }
    }
  }

  /** Nothing when the new connection is lost again, or too slow: then it has to be tried again. */
  async #trySubscribe(): Promise<EventIterator<Event> | undefined> {
    const { connection } = this.#link;
    try {
      return await this.#parts.subscribe(connection, this.#parts.options);
    } catch (error) {
      const isLost = connection.reason !== undefined || isLibvirtError(error, 'closed');
      if (isAborted(error) || !(isLost || isTimeout(error))) throw error;
      return undefined;
    }
  }
}
