import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970, to compare with what others say. It may jump when somebody sets the clock. */
  now(): number;
  /** Milliseconds since some moment, to measure with. It never jumps. */
  monotonic(): number;
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};
