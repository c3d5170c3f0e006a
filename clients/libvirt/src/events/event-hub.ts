import type { XdrReader } from '@smalt/xdr';

import { systemClock, type Clock } from '../clock.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { CallOptions } from '../procedure.ts';
import type { MessageHeader } from '../rpc/message.ts';
import type { EventIterator } from './event-iterator.ts';
import { DEFAULT_MAX_QUEUED, DEFAULT_MAX_QUEUED_BYTES } from './event-queue.ts';
import type { EventRegistration } from './event-registration.ts';
import { EventRoutes } from './event-routes.ts';
import { EventSubscription, givenUp } from './event-subscription.ts';

/** How events are waited for. The signal ends the registration and the iteration. */
export interface SubscribeOptions extends CallOptions {
  /** A reader that is slower than the events finds an `overflow` in place of what exceeds this. Default 4096. */
  readonly maxQueued?: number;
  /** The same, for all bytes that wait. Default 16 MiB. */
  readonly maxQueuedBytes?: number;
  /** Leaves out the kinds the daemon does not have, and lists them in `skipped`, instead of failing. */
  readonly skipUnsupported?: boolean;
}

export interface EventHubOptions {
  /** How long the daemon may take to confirm registrations that do not say so themselves. */
  readonly callTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Brings each event to the iterator that asked for it. */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #onWarning: (warning: LibvirtWarning) => void;
  readonly #routes: EventRoutes;
  readonly #subscriptions = new Set<{ end(error?: LibvirtError): Promise<void> }>();

  constructor(onWarning: (warning: LibvirtWarning) => void, options: EventHubOptions = {}) {
    this.#options = options;
    this.#onWarning = onWarning;
    this.#routes = new EventRoutes(onWarning);
  }

  /** Takes a message the daemon sent unasked. */
  receive(header: MessageHeader, reader: XdrReader): void {
    this.#routes.receive(header, reader);
  }

  /** The connection has ended: iterators end with what is queued, and throw unless it was closed on purpose. */
  end(reason: LibvirtError): void {
    const error = reason.code === 'closed' ? undefined : reason;
    for (const subscription of this.#subscriptions) void subscription.end(error);
  }

  /** Registers every kind, and resolves when the daemon has confirmed each. */
  async subscribe<Event extends { readonly kind: string }>(
    registrations: readonly EventRegistration<Event>[],
    options: SubscribeOptions,
  ): Promise<EventIterator<Event>> {
    const { signal, timeoutMs = this.#options.callTimeoutMs } = options;
    const { maxQueued = DEFAULT_MAX_QUEUED, maxQueuedBytes = DEFAULT_MAX_QUEUED_BYTES } = options;
    for (const [name, value] of Object.entries({ maxQueued, maxQueuedBytes })) {
      if (!(value > 0)) throw new LibvirtError('invalid-arg', `${name}: must be more than 0, is ${value}`);
    }
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) {
      throw new LibvirtError('invalid-arg', `timeoutMs: ${timeoutMs} is not a time`);
    }
    if (signal?.aborted === true) throw givenUp(signal);
    const subscription: EventSubscription<Event> = new EventSubscription<Event>({
      routes: this.#routes,
      onWarning: this.#onWarning,
      clock: this.#options.clock ?? systemClock,
      maxQueued,
      maxQueuedBytes,
      signal,
      timeoutMs,
      onEnd: () => this.#subscriptions.delete(subscription),
    });
    this.#subscriptions.add(subscription);
    return subscription.open(registrations, options.skipUnsupported === true);
  }
}
