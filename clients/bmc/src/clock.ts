import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since some moment; never goes back, whatever is done to the time of day. */
  now(): number;
  /** The time of day, for records that people read. */
  date(): Date;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};
