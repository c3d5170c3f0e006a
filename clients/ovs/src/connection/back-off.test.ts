import { expect, it } from 'vitest';

import { backOffDelayMs } from './back-off.ts';

it.each([
  { failures: 1, random: 0, delayMs: 50 },
  { failures: 1, random: 1, delayMs: 100 },
  { failures: 3, random: 1, delayMs: 400 },
  { failures: 50, random: 1, delayMs: 1000 },
  { failures: 50, random: 0, delayMs: 500 },
])('waits $delayMs ms after $failures failures when chance says $random', ({ failures, random, delayMs }) => {
  expect(backOffDelayMs(failures, { initialMs: 100, maxMs: 1000 }, random)).toBe(delayMs);
});
