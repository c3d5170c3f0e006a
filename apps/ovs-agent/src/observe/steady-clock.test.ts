import { systemClock } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { steadyClock } from './steady-clock.ts';

const HOUR_MS = 3_600_000;

it.each([-HOUR_MS, HOUR_MS])(
  'goes on as before when the clock on the wall is set by %i ms, and tells that',
  (stepMs) => {
    const time = { wall: 1_000_000, monotonic: 7.25 };
    const clock = steadyClock({ ...systemClock, now: () => time.wall, monotonic: () => time.monotonic });

    const before = { now: clock.now(), aheadMs: clock.wallAheadMs() };
    time.monotonic += 500;
    time.wall += 500 + stepMs;
    const after = { now: clock.now(), aheadMs: clock.wallAheadMs() };

    expect(before).toEqual({ now: 1_000_000, aheadMs: 0 });
    expect(after).toEqual({ now: 1_000_500, aheadMs: stepMs });
  },
);
