import type { Clock } from '../clock.ts';
import { isConnectionLost, isLibvirtError, isUnsupported, LibvirtError } from '../libvirt-error.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import { createEventIterator, type EventIterator } from './event-iterator.ts';
import { EventQueue } from './event-queue.ts';
import type { EventRegistration } from './event-registration.ts';
import type { EventReceiver, EventRoutes } from './event-routes.ts';

const DEREGISTRATION_TIMEOUT_MS = 5000;
const INTERNAL_ERROR = 1;

export interface EventSubscriptionParts {
  readonly routes: EventRoutes;
  readonly onWarning: (warning: LibvirtWarning) => void;
  readonly clock: Clock;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
  readonly signal: AbortSignal | undefined;
  /** How long the daemon may take to confirm. */
  readonly timeoutMs: number | undefined;
  /** Runs once, whatever the subscription ends for. */
  readonly onEnd: () => void;
}

/** A registration the daemon has confirmed. */
interface Registered<Event> {
  readonly registration: EventRegistration<Event>;
  readonly callbackID: number;
  readonly receiver: EventReceiver;
}

/** A kind the daemon did not confirm. */
interface Refused {
  readonly kind: string;
  readonly error: LibvirtError;
}

/** All registrations of one iterator, from the first call until the daemon has been told to forget them. */
export class EventSubscription<Event extends { readonly kind: string }> {
  readonly #parts: EventSubscriptionParts;
  readonly #queue: EventQueue<Event>;
  readonly #registered: Registered<Event>[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #ending: Promise<void> | undefined;

  constructor(parts: EventSubscriptionParts) {
    this.#parts = parts;
    this.#queue = new EventQueue<Event>(parts.maxQueued, parts.maxQueuedBytes);
    parts.signal?.addEventListener('abort', this.#onAbort);
    // It may be rejected when nothing waits for it any more.
    this.#failed.promise.catch(() => undefined);
  }

  /** Registers every kind, and resolves when the daemon has confirmed each. When it fails nothing stays registered. */
  async open(
    registrations: readonly EventRegistration<Event>[],
    skipUnsupported: boolean,
  ): Promise<EventIterator<Event>> {
    const cancelLimit = this.#limit();
    const outcomes = await Promise.all(registrations.map((registration) => this.#register(registration)));
    cancelLimit?.();
    const refused = outcomes.filter((outcome) => outcome !== undefined);
    const canSkip = skipUnsupported && this.#registered.length > 0;
    const fatal = refused.find(({ error }) => !(canSkip && isUnsupported(error)));
    if (fatal !== undefined) {
      await this.end();
      throw fatal.error;
    }
    return createEventIterator({
      queue: this.#queue,
      skipped: refused.map(({ kind }) => kind),
      skipReasons: refused.map(({ error }) => error),
      deregister: () => this.end(),
    });
  }

  /** Takes no more events, and takes every registration back. Never rejects, and is harmless when called again. */
  end(reason?: LibvirtError): Promise<void> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #end(reason: LibvirtError | undefined): Promise<void> {
    this.#parts.signal?.removeEventListener('abort', this.#onAbort);
    this.#queue.end(reason);
    if (reason !== undefined) this.#failed.reject(reason);
    this.#parts.onEnd();
    await Promise.all(this.#registered.map((registered) => this.#deregister(registered)));
  }

  readonly #onAbort = (): void => {
    const { signal } = this.#parts;
    if (signal !== undefined) void this.end(givenUp(signal));
  };

  #limit(): (() => void) | undefined {
    const { clock, timeoutMs } = this.#parts;
    if (timeoutMs === undefined || timeoutMs === Infinity) return undefined;
    const message = `the daemon did not confirm the registration for events within ${timeoutMs} ms`;
    return clock.schedule(() => void this.end(new LibvirtError('timeout', message)), timeoutMs);
  }

  /** Resolves with the failure, so that the other kinds can be looked at too. */
  async #register(registration: EventRegistration<Event>): Promise<Refused | undefined> {
    const { routes, timeoutMs } = this.#parts;
    routes.expect(registration.message);
    // The call itself is never given up: its reply, however late, is what tells which registration to take back.
    const call = registration.register(timeoutMs === undefined ? {} : { timeoutMs: Infinity }, (callbackID) =>
      this.#onRegistered({ registration, callbackID, receiver: this.#receiverOf(registration) }),
    );
    try {
      await Promise.race([call, this.#failed.promise]);
      return undefined;
    } catch (error) {
      return { kind: registration.kind, error: nameKind(error, registration) };
    } finally {
      routes.settle(registration.message);
    }
  }

  #onRegistered(registered: Registered<Event>): void {
    if (this.#ending !== undefined) {
      void this.#deregister(registered);
      return;
    }
    this.#registered.push(registered);
    this.#parts.routes.connect(registered.registration.message, registered.callbackID, registered.receiver);
  }

  #receiverOf({ read }: EventRegistration<Event>): EventReceiver {
    return {
      take: (reader, bytes) => {
        const event = read(reader);
        reader.end();
        this.#queue.push(event, bytes);
      },
      drop: (count) => this.#queue.drop(count),
    };
  }

  async #deregister({ registration, callbackID, receiver }: Registered<Event>): Promise<void> {
    const { onWarning, routes } = this.#parts;
    routes.disconnect(registration.message, callbackID, receiver);
    try {
      await registration.deregister(callbackID, { timeoutMs: DEREGISTRATION_TIMEOUT_MS });
    } catch (cause) {
      if (isGone(cause)) return;
      const message = `a registration for events of kind ${registration.kind} stays at the daemon`;
      onWarning({ kind: 'failed-deregistration', message, cause });
    }
  }
}

/** What a caller is told whose own signal ended the events. */
export function givenUp(signal: AbortSignal): LibvirtError {
  return new LibvirtError('aborted', 'the events were given up by the caller', { cause: signal.reason });
}

/** With the connection every registration is gone too. */
function isGone(error: unknown): boolean {
  return isConnectionLost(error) || isLibvirtError(error, 'closed');
}

/**
 * A daemon that is too old for a kind says so with an internal error of its `rpc` part that ends in the number of the
 * kind. The words in front of the number depend on the daemon's language.
 */
function nameKind(error: unknown, registration: EventRegistration<unknown>): LibvirtError {
  const { kind, eventID } = registration;
  if (!(error instanceof LibvirtError)) return new LibvirtError('protocol', `events of kind ${kind}`, { cause: error });
  const isUnknownKind =
    error.number === INTERNAL_ERROR && error.domain === 'rpc' && error.message.endsWith(` ${eventID}`);
  if (!isUnsupported(error) && !isUnknownKind) return error;
  return new LibvirtError('unsupported', `events of kind ${kind}: ${error.message}`, {
    cause: error,
    number: error.number,
    domain: error.domain,
    procedure: error.procedure,
  });
}
