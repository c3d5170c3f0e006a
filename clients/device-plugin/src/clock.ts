import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Resolves after a while; rejects when the signal fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};
