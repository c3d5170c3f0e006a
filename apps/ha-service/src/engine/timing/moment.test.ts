import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fixtures/manual-clock.ts';
import { Moment } from './moment.ts';

describe('Moment', () => {
  it('tells how long ago it was', async () => {
    const clock = new ManualClock(1_000);
    const moment = new Moment(clock);

    await clock.advance(20);

    expect([moment.at, moment.ageMs()]).toEqual([1_000, 20]);
  });

  it.each([
    ['slept, and its steady clock stood still', 60_000, 60_020],
    ['has a wall clock that was set back', -60_000, 20],
  ])('knows of a machine that %s', async (_what, wallOffsetMs, ageMs) => {
    const clock = new ManualClock();
    const moment = new Moment(clock);

    clock.wallOffsetMs = wallOffsetMs;
    await clock.advance(20);

    expect(moment.ageMs()).toBe(ageMs);
  });

  it('goes by the steady clock where there is no other', () => {
    let now = 5;
    const moment = new Moment({ now: () => now, wait: async () => undefined });

    now = 12;

    expect(moment.ageMs()).toBe(7);
  });
});
