import { setTimeout as sleep } from 'node:timers/promises';

/** The time, as the console's server needs it. */
export interface ConsoleClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: ConsoleClock = {
  now: () => Date.now(),
  wait: async (milliseconds, signal) => await sleep(milliseconds, undefined, { signal }),
};
