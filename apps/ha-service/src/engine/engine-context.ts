import { isLeadLost } from '../ha-service-error.ts';
import type { EnginePorts } from '../ports/engine-ports.ts';
import type { OrderSignal } from '../ports/order-signal.ts';
import type { Background } from './timing/background.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { SignalBook } from './fleet/signal-book.ts';
import { Moment } from './timing/moment.ts';
import { punctualSignal } from './timing/punctual-signal.ts';
import { withDeadline } from './timing/with-deadline.ts';

/** What the parts of the engine share. */
export interface EngineContext {
  readonly ports: EnginePorts;
  readonly settings: () => EngineSettings;
  readonly background: Background;
  readonly book: SignalBook;
}

/** A call to the outside that ends within the time that one call may take. */
export async function call<T>(
  { ports, settings }: Pick<EngineContext, 'ports' | 'settings'>,
  what: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withDeadline({ clock: ports.clock, timeoutMs: settings().callTimeoutMs, what, signal }, run);
}

interface Order {
  /** What it is, in a word or two, for the message. */
  readonly what: string;
  /** How long it may take, where that is not what any call may. */
  readonly timeoutMs?: number;
}

/**
 * A call that changes something. Nothing of it leaves once its time is over, or once this replica cannot be sure any more
 * that it leads, however many questions come before: that rejects with `lead-lost`, and whoever meets it has to stop.
 */
export async function order<T>(
  { ports, settings }: Pick<EngineContext, 'ports' | 'settings'>,
  { what, timeoutMs = settings().callTimeoutMs }: Order,
  signal: AbortSignal,
  run: (signal: OrderSignal) => Promise<T>,
): Promise<T> {
  const { clock, isLeading } = ports;
  const begun = new Moment(clock);
  return await withDeadline({ clock, timeoutMs, what, signal }, async (inner) => {
    const punctual = punctualSignal(inner, { begun, withinMs: timeoutMs, isLeading, what });
    punctual.throwIfAborted();
    try {
      return await run(punctual);
    } catch (error) {
      // A client says only that it was told to give up.
      const why: unknown = punctual.reason;
      throw isLeadLost(why) ? why : error;
    }
  });
}
