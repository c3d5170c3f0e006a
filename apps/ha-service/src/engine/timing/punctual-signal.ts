import { HaServiceError } from '../../ha-service-error.ts';
import type { OrderSignal } from '../../ports/order-signal.ts';
import type { Moment } from './moment.ts';

export interface Punctuality {
  /** When the order was begun, and how long after that it may still leave. */
  readonly begun: Moment;
  readonly withinMs: number;
  /** Whether this replica still leads; left out where no other can. */
  readonly isLeading?: (() => boolean) | undefined;
  /** What it is, in a word or two, for the message. */
  readonly what: string;
}

/**
 * A signal that looks at the clock whenever it is asked. A timer tells a process that stood still of its deadline only
 * after answers that came meanwhile were taken in, and whoever takes in such an answer could still send what is far too
 * late: clients ask the signal before they send.
 */
export function punctualSignal(signal: AbortSignal, { begun, withinMs, isLeading, what }: Punctuality): OrderSignal {
  const own = new AbortController();
  const punctual = own.signal;
  let isOver = false;
  const end = (reason: unknown): void => {
    isOver = true;
    own.abort(reason);
  };
  const onAbort = (): void => end(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true, signal: punctual });
  const look = (): boolean => {
    if (!isOver && begun.ageMs() > withinMs) {
      end(new HaServiceError('deadline', `${what} was not on its way within ${withinMs} ms, so it is not sent`));
    }
    if (!isOver && isLeading?.() === false) {
      end(new HaServiceError('lead-lost', `${what} is not sent: the lease was not renewed in time`));
    }
    return isOver;
  };
  Object.defineProperty(punctual, 'aborted', { get: look });
  Object.defineProperty(punctual, 'throwIfAborted', {
    value: () => {
      if (look()) throw punctual.reason;
    },
  });
  return Object.assign(punctual, { isPunctual: true } as const);
}
