import { setTimeout as delay } from 'node:timers/promises';

/** Timers take no more; what is due later is simply looked at earlier. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970, for people and other machines. It may jump when somebody sets the clock. */
  now(): number;
  /** Milliseconds since some moment, to measure with. It never jumps. */
  monotonic(): number;
  /** Resolves after a while; rejects when the signal fires. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs something after a while, unless what is returned is called first. */
  later(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wait: (milliseconds, signal) => delay(Math.min(milliseconds, LONGEST_TIMER_MS), undefined, { signal }),
  later: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
