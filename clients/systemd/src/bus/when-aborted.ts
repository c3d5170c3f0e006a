import { SystemdError } from '../systemd-error.ts';

/** A promise that rejects with `aborted` when the signal fires. `stop` lets go of the signal. */
export interface Aborted {
  readonly promise: Promise<never>;
  readonly stop: () => void;
}

/** Waits for the signal, for use in a race. */
export function whenAborted(signal: AbortSignal, message: string): Aborted {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may look at it any more by the time it rejects.
  promise.catch(() => undefined);
  const onAbort = (): void => reject(new SystemdError('aborted', message, { cause: signal.reason }));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
}
