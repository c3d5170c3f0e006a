import { HaServiceError } from '../../ha-service-error.ts';
import type { ServiceClock } from '../../ports/service-clock.ts';

const OVER = 'the call is over';

export interface Deadline {
  readonly clock: ServiceClock;
  readonly timeoutMs: number;
  /** Who waits, in a word or two, for the message. */
  readonly what: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a call to the outside and answers within its time, even if the call does not heed its signal. What comes later is
 * for nobody.
 */
export async function withDeadline<T>(
  { clock, timeoutMs, what, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // One for the call and its timer: whatever ends the one ends the other.
  const call = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (reason: unknown): void => {
    reject(reason);
    call.abort(reason);
  };
  const onAbort = (): void => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  clock.wait(timeoutMs, call.signal).then(
    () => stop(new HaServiceError('deadline', `${what} took longer than ${timeoutMs} ms`)),
    () => undefined,
  );
  try {
    return await Promise.race([run(call.signal), stopped]);
  } finally {
    // A reason of our own: to make the usual one costs more than all the rest.
    call.abort(OVER);
    signal.removeEventListener('abort', onAbort);
  }
}
