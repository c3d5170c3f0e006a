import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BackOff } from './rate-limiter.ts';
import { TestClock } from './test-clock.ts';

describe('BackOff', () => {
  it('doubles the delay of a key up to the longest', () => {
    const backOff = new BackOff(new TestClock(), { firstMs: 100, longestMs: 1_000 });

    const delays = Array.from({ length: 6 }, () => backOff.delayMs('a'));

    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(backOff.failures('a')).toBe(6);
  });

  it('counts keys apart, and afresh after a success', () => {
    const backOff = new BackOff(new TestClock());
    backOff.delayMs('a');
    backOff.delayMs('a');

    backOff.forget('a');

    expect([backOff.delayMs('a'), backOff.delayMs('b'), backOff.failures('b')]).toEqual([5, 5, 1]);
  });

  it('spreads out the retries of many keys', async () => {
    const clock = new TestClock();
    const backOff = new BackOff(clock, { firstMs: 1, perSecond: 10, burst: 3 });

    const delays = [1, 2, 3, 4, 5].map((key) => backOff.delayMs(key));
    await clock.advance(1_000);

    expect(delays).toEqual([1, 1, 1, 100, 200]);
    expect(backOff.delayMs(6)).toBe(1);
  });

  it('is not impressed by a wall clock that is set back', async () => {
    const clock = new TestClock();
    const backOff = new BackOff(clock, { burst: 2 });
    backOff.delayMs('a');

    clock.wallOffset -= 3_600_000;

    expect(backOff.delayMs('b')).toBe(5);
  });

  it('always gives a delay between the first and the longest, or what the others cost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 2_000 }), (keys) => {
        const backOff = new BackOff(new TestClock(), { perSecond: 1_000_000, burst: 10 });

        const delays = keys.map((key) => backOff.delayMs(key));

        expect(delays.every((delay) => delay >= 5 && delay <= 1_000_000)).toBe(true);
      }),
    );
  });
});
