import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after a while; rejects when the signal fires. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs something after a while, unless what is returned is called first. */
  later(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
  later: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
