import type { XdrReader } from '@smalt/xdr';

import { isConnectionLost, isLibvirtError, isUnsupported, LibvirtError } from '../libvirt-error.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { CallOptions } from '../procedure.ts';
import type { MessageHeader } from '../rpc/message.ts';
import { createEventIterator, type EventIterator } from './event-iterator.ts';
import { EventQueue } from './event-queue.ts';
import type { EventRegistration } from './event-registration.ts';
import { EventRoutes } from './event-routes.ts';

const DEFAULT_MAX_QUEUED = 4096;
const INTERNAL_ERROR = 1;

/** How events are waited for. The signal ends the registration and the iteration. */
export interface SubscribeOptions extends CallOptions {
  /** A reader that is slower than the events finds an `overflow` in place of what exceeds this. Default 4096. */
  readonly maxQueued?: number;
  /** Leaves out the kinds the daemon does not have, and lists them in `skipped`, instead of failing. */
  readonly skipUnsupported?: boolean;
}

/** A registration the daemon has confirmed. */
interface Registered<Event> {
  readonly registration: EventRegistration<Event>;
  readonly callbackID: number;
}

/** Brings each event to the iterator that asked for it. */
export class EventHub {
  readonly #routes: EventRoutes;
  readonly #onWarning: (warning: LibvirtWarning) => void;
  readonly #queues = new Set<{ end(error?: LibvirtError): void }>();

  constructor(onWarning: (warning: LibvirtWarning) => void) {
    this.#onWarning = onWarning;
    this.#routes = new EventRoutes(onWarning);
  }

  /** Takes a message the daemon sent unasked. */
  receive(header: MessageHeader, reader: XdrReader): void {
    this.#routes.receive(header, reader);
  }

  /** The connection has ended: iterators end with what is queued, and throw unless it was closed on purpose. */
  end(reason: LibvirtError): void {
    for (const queue of this.#queues) queue.end(reason.code === 'closed' ? undefined : reason);
    this.#queues.clear();
  }

  /** Registers every kind, and resolves when the daemon has confirmed each. */
  async subscribe<Event extends { readonly kind: string }>(
    registrations: readonly EventRegistration<Event>[],
    options: SubscribeOptions,
  ): Promise<EventIterator<Event>> {
    const maxQueued = options.maxQueued ?? DEFAULT_MAX_QUEUED;
    if (!(maxQueued > 0)) throw new LibvirtError('invalid-arg', `maxQueued: must be more than 0, is ${maxQueued}`);
    const queue = new EventQueue<Event>(maxQueued);
    const registered: Registered<Event>[] = [];
    this.#queues.add(queue);
    const outcomes = await Promise.all(
      registrations.map((registration) => this.#register(registration, queue, registered, options)),
    );
    const canSkip = options.skipUnsupported === true && registered.length > 0;
    const fatal = outcomes.find((failure) => failure !== undefined && !(canSkip && isUnsupported(failure)));
    if (fatal !== undefined) {
      await this.#deregister(registered, queue);
      throw fatal;
    }
    const skipped = registrations.filter((_, index) => outcomes[index] !== undefined).map(({ kind }) => kind);
    return this.#iterator(queue, registered, { skipped, signal: options.signal });
  }

  #iterator<Event extends { readonly kind: string }>(
    queue: EventQueue<Event>,
    registered: readonly Registered<Event>[],
    { skipped, signal }: { readonly skipped: readonly string[]; readonly signal: AbortSignal | undefined },
  ): EventIterator<Event> {
    let ending: Promise<void> | undefined;
    const deregister = (): Promise<void> => {
      signal?.removeEventListener('abort', onAbort);
      ending ??= this.#deregister(registered, queue);
      return ending;
    };
    const onAbort = (): void => {
      queue.end(new LibvirtError('aborted', 'the events were given up by the caller', { cause: signal?.reason }));
      deregister().catch((cause: unknown) => {
        this.#onWarning({ kind: 'failed-deregistration', message: 'an event registration stays at the daemon', cause });
      });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    return createEventIterator({ queue, skipped, deregister });
  }

  /** Resolves with the failure, so that the other kinds can be looked at too. */
  async #register<Event extends { readonly kind: string }>(
    registration: EventRegistration<Event>,
    queue: EventQueue<Event>,
    registered: Registered<Event>[],
    options: CallOptions,
  ): Promise<LibvirtError | undefined> {
    const { message, read } = registration;
    this.#routes.expect(message);
    try {
      await registration.register(options, (callbackID) => {
        registered.push({ registration, callbackID });
        this.#routes.connect(message, callbackID, (reader) => {
          const event = read(reader);
          reader.end();
          queue.push(event);
        });
      });
      return undefined;
    } catch (error) {
      return nameKind(error, registration);
    } finally {
      this.#routes.settle(message);
    }
  }

  async #deregister<Event extends { readonly kind: string }>(
    registered: readonly Registered<Event>[],
    queue: EventQueue<Event>,
  ): Promise<void> {
    this.#queues.delete(queue);
    for (const { registration, callbackID } of registered) this.#routes.disconnect(registration.message, callbackID);
    for (const { registration, callbackID } of registered) {
      await registration.deregister(callbackID).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    }
  }
}

/** With the connection every registration is gone too. */
function isGone(error: unknown): boolean {
  return isConnectionLost(error) || isLibvirtError(error, 'closed');
}

/** A daemon that is too old for a kind says so with an internal error that ends in the number of the kind. */
function nameKind(error: unknown, registration: EventRegistration<unknown>): LibvirtError {
  const { kind, eventID } = registration;
  if (!(error instanceof LibvirtError)) return new LibvirtError('protocol', `events of kind ${kind}`, { cause: error });
  const isUnknownKind = error.number === INTERNAL_ERROR && new RegExp(`\\b${eventID}$`).test(error.message);
  if (!isUnsupported(error) && !isUnknownKind) return error;
  return new LibvirtError('unsupported', `events of kind ${kind}: ${error.message}`, {
    cause: error,
    number: error.number,
    domain: error.domain,
    procedure: error.procedure,
  });
}
