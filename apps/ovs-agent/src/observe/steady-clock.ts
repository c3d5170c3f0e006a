import type { Clock } from '@smalt/controller-runtime';

/** A clock that nobody sets. It began with what the clock on the wall said. */
export interface SteadyClock extends Clock {
  /** How far the clock on the wall is ahead of it now. */
  wallAheadMs(): number;
}

/**
 * Makes a clock to judge by: what has lasted and what is new must not depend on somebody who sets the clock on the
 * wall, as chrony does after a boot.
 */
export function steadyClock(wall: Clock): SteadyClock {
  const beganAt = wall.now() - wall.monotonic();
  const now = (): number => Math.round(beganAt + wall.monotonic());
  return {
    now,
    wallAheadMs: () => wall.now() - now(),
    monotonic: () => wall.monotonic(),
    wait: (milliseconds, signal) => wall.wait(milliseconds, signal),
    later: (milliseconds, run) => wall.later(milliseconds, run),
  };
}
