import { expect, it } from 'vitest';

import { backOffDelayMs } from './back-off.ts';

it.each([
  { failures: 1, random: 1, delay: 100 },
  { failures: 1, random: 0, delay: 50 },
  { failures: 3, random: 1, delay: 400 },
  { failures: 8, random: 1, delay: 10_000 },
  { failures: 5000, random: 0, delay: 5000 },
])('pauses $delay ms after $failures failures', ({ failures, random, delay }) => {
  expect(backOffDelayMs(failures, {}, random)).toBe(delay);
});
