import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};
