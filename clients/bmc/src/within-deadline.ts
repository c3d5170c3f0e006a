import { BmcError } from './bmc-error.ts';

export interface Deadline {
  /** What has to be done by then, for the message. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Settles when the work does, at the deadline or when the caller gives up, whichever comes first. The work is told by
 * its signal, and may still tidy up after that.
 */
export async function withinDeadline<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { what, timeoutMs, signal } = deadline;
  const givenUp = (): BmcError => new BmcError('aborted', `${what}: given up by the caller`, { cause: signal.reason });
  if (signal.aborted) throw givenUp();
  const ended = Promise.withResolvers<never>();
  const ending = new AbortController();
  const end = (error: BmcError): void => {
    // The first rejection wins the race: this one, not what the work makes of its signal.
    ended.reject(error);
    ending.abort(error);
  };
  const onAbort = (): void => end(givenUp());
  const late = (): void => end(new BmcError('timeout', `${what}: not done within ${timeoutMs} ms`));
  const timer = setTimeout(late, timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([ended.promise, work(ending.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
