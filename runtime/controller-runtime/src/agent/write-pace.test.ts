import { expect, it } from 'vitest';

import { backOffMs, pauseMs } from './write-pace.ts';

it.each([
  { tookMs: 0, pause: 100 },
  { tookMs: 80, pause: 100 },
  { tookMs: 700, pause: 700 },
  { tookMs: 60_000, pause: 2_000 },
])('waits $pause ms after a write that took $tookMs ms', ({ tookMs, pause }) => {
  expect(pauseMs(tookMs)).toBe(pause);
});

it('waits less for who has to be told soon', () => {
  expect(pauseMs(3, 20)).toBe(20);
  expect(pauseMs(30, 20)).toBe(30);
});

it.each([
  { failures: 1, random: 1, delay: 500 },
  { failures: 1, random: 0, delay: 250 },
  { failures: 3, random: 1, delay: 2_000 },
  { failures: 50, random: 1, delay: 15_000 },
  { failures: 50, random: 0, delay: 7_500 },
])('waits $delay ms after $failures failures when chance says $random', ({ failures, random, delay }) => {
  expect(backOffMs(failures, random)).toBe(delay);
});
