import { OvsError } from '../ovs-error.ts';
import type { Clock } from './clock.ts';

/** When waiting ends without what is waited for. */
export interface Deadline {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What is waited for, as in `no answer to echo`. */
  readonly what: string;
}

/** Waits for a promise until the deadline or the signal, whichever is first. The promise itself is not ended by that. */
export async function withDeadline<T>(promise: Promise<T>, deadline: Deadline): Promise<T> {
  const { clock, timeoutMs, signal, what } = deadline;
  const giveUp = Promise.withResolvers<never>();
  const onAbort = (): void =>
    giveUp.reject(new OvsError('aborted', `${what}: given up by the caller`, { cause: signal?.reason }));
  const cancel = clock.schedule(
    () => giveUp.reject(new OvsError('timeout', `${what} within ${timeoutMs} ms`)),
    timeoutMs,
  );
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, giveUp.promise]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
