/** Time as the client sees it, so that a test can turn it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Calls back once, and returns how to call that off. */
  schedule(callback: () => void, delayMs: number): () => void;
}

// A longer delay would make Node call back at once.
const LONGEST_DELAY_MS = 2_147_483_647;

/** The machine's monotonic clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule: (callback, delayMs) => {
    if (delayMs === Infinity) return () => undefined;
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS)).unref();
    return () => clearTimeout(timer);
  },
};

/** Lets time pass without giving the processor away: far shorter times than a timer can wait for. */
export function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
