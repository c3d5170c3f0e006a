import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffDelayMs } from './back-off.ts';

describe('backOffDelayMs', () => {
  it.each([
    { failures: 1, random: 1, delayMs: 100 },
    { failures: 1, random: 0, delayMs: 50 },
    { failures: 2, random: 1, delayMs: 200 },
    { failures: 5, random: 1, delayMs: 1_600 },
    { failures: 20, random: 1, delayMs: 30_000 },
    { failures: 20, random: 0, delayMs: 15_000 },
    { failures: 5_000, random: 0.5, delayMs: 22_500 },
  ])('is $delayMs ms after $failures failures when chance says $random', ({ failures, random, delayMs }) => {
    expect(backOffDelayMs(failures, {}, random)).toBe(delayMs);
  });

  it('stays between half of the wanted pause and all of it, and under the limit', () => {
    const options = fc.record({
      initialMs: fc.integer({ min: 1, max: 10_000 }),
      maxMs: fc.integer({ min: 10_000, max: 100_000 }),
      factor: fc.double({ min: 1, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        options,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (...all) => {
          const [failures, { initialMs, maxMs, factor }, random] = all;
          const full = Math.min(maxMs, initialMs * factor ** (failures - 1));

          const delayMs = backOffDelayMs(failures, { initialMs, maxMs, factor }, random);

          expect(delayMs).toBeGreaterThanOrEqual(Math.floor(full / 2));
          expect(delayMs).toBeLessThanOrEqual(maxMs);
        },
      ),
    );
  });
});
