import type { SubscribeOptions } from '../events/event-hub.ts';
import type { EventIterator } from '../events/event-iterator.ts';
import {
  DEFAULT_MAX_QUEUED,
  DEFAULT_MAX_QUEUED_BYTES,
  EventQueue,
  isOverflow,
  type EventOverflow,
} from '../events/event-queue.ts';
import { isAborted, isLibvirtError, type LibvirtError } from '../libvirt-error.ts';
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
  /** What the daemon said to each of `skipped`, in the same order. */
  readonly skipReasons: readonly LibvirtError[];
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

/**
 * One subscription in the life of a session: the events of the connection that is up, and of each that follows. It
 * registers with each as soon as it is up, whether anybody reads or not.
 */
export class Subscription<
  Connection extends KeptConnection,
  Options extends SubscribeOptions,
  Event extends { readonly kind: string },
> implements SessionEventIterator<Event> {
  readonly #parts: SubscriptionParts<Connection, Options, Event>;
  readonly #left: AbortController;
  readonly #queue: EventQueue<Event | Resubscribed>;
  readonly #running: Promise<void>;
  #events: EventIterator<Event>;

  private constructor(
    parts: SubscriptionParts<Connection, Options, Event>,
    left: AbortController,
    link: Link<Connection>,
    events: EventIterator<Event>,
  ) {
    this.#parts = parts;
    this.#left = left;
    const { maxQueued = DEFAULT_MAX_QUEUED, maxQueuedBytes = DEFAULT_MAX_QUEUED_BYTES } = parts.options;
    this.#queue = new EventQueue(maxQueued, maxQueuedBytes);
    this.#events = events;
    this.#running = this.#run(link);
  }

  /** Resolves when the daemon behind `link` has confirmed the registration. */
  static async start<
    Connection extends KeptConnection,
    Options extends SubscribeOptions,
    Event extends { readonly kind: string },
  >(
    parts: SubscriptionParts<Connection, Options, Event>,
    link: Link<Connection>,
  ): Promise<Subscription<Connection, Options, Event>> {
    const left = new AbortController();
    const { signal } = parts.options;
    const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
    const options: Options = { ...parts.options, signal: either };
    const events = await parts.subscribe(link.connection, options);
    return new Subscription({ ...parts, options }, left, link, events);
  }

  get skipped(): readonly string[] {
    return this.#events.skipped;
  }

  get skipReasons(): readonly LibvirtError[] {
    return this.#events.skipReasons;
  }

  next(): Promise<SessionEventResult<Event>> {
    return this.#queue.next();
  }

  async return(): Promise<SessionEventResult<Event>> {
    this.#queue.end();
    this.#queue.clear();
    this.#left.abort();
    await this.#running;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #run(first: Link<Connection>): Promise<void> {
    try {
      for (let link = first; ; link = await this.#resubscribe(link)) await this.#forward(link.connection);
    } catch (error) {
      this.#queue.end(isLibvirtError(error, 'closed') ? undefined : error);
    }
    await this.#events.return();
  }

  /** Resolves when the connection has ended. */
  async #forward(connection: Connection): Promise<void> {
    try {
      for await (const item of this.#events) {
        if (isOverflow(item)) this.#queue.drop(item.dropped);
        else this.#queue.push(item, this.#events.bytesOf(item));
      }
    } catch (error) {
      if (isAborted(error) || connection.reason === undefined) throw error;
    }
  }

  async #resubscribe(lost: Link<Connection>): Promise<Link<Connection>> {
    const { keeper, now, options } = this.#parts;
    for (;;) {
      // Waits for as long as the session lives: the time limit is for calls.
      const link = await keeper.nextLink(options.signal === undefined ? {} : { signal: options.signal });
      const events = await this.#trySubscribe(link.connection);
      if (events === undefined) continue;
      this.#events = events;
      const restoredAt = now();
      const mark: Resubscribed = {
        kind: 'resubscribed',
        lostAt: lost.lostAt ?? restoredAt,
        restoredAt,
        attempt: link.attempt,
      };
      this.#queue.mark(mark, (earlier) => ('lostAt' in earlier ? { ...mark, lostAt: earlier.lostAt } : mark));
      return link;
    }
  }

  /** Nothing when the new connection is lost again: then it has to be tried with the next. */
  async #trySubscribe(connection: Connection): Promise<EventIterator<Event> | undefined> {
    try {
      // Without a time limit, which would only have it ask the same connection again.
      return await this.#parts.subscribe(connection, { ...this.#parts.options, timeoutMs: Infinity });
    } catch (error) {
      const isLost = connection.reason !== undefined || isLibvirtError(error, 'closed');
      if (isAborted(error) || !isLost) throw error;
      return undefined;
    }
  }
}
