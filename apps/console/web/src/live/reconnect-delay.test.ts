import { expect, it } from 'vitest';

import { reconnectDelayMs } from './reconnect-delay.ts';

it.each([
  { failures: 0, random: 1, delay: 500 },
  { failures: 0, random: 0, delay: 250 },
  { failures: 3, random: 1, delay: 4_000 },
  { failures: 9, random: 1, delay: 15_000 },
  { failures: 5_000, random: 0, delay: 7_500 },
])('waits $delay ms after $failures failures with chance $random', ({ failures, random, delay }) => {
  expect(reconnectDelayMs(failures, random)).toBe(delay);
});
