import { expect, it } from 'vitest';

import { ratePerSecond, ratesOf } from './rates.ts';

it.each([
  { before: undefined, after: { atMs: 0, total: 5 }, rate: null, why: 'there is nothing to compare with' },
  { before: { atMs: 0, total: 100 }, after: { atMs: 2_000, total: 300 }, rate: 100, why: 'it grew by 200 in 2 s' },
  { before: { atMs: 0, total: 300 }, after: { atMs: 1_000, total: 5 }, rate: null, why: 'the counter began anew' },
  { before: { atMs: 1_000, total: 1 }, after: { atMs: 1_000, total: 2 }, rate: null, why: 'no time has passed' },
])('is $rate because $why', ({ before, after, rate }) => {
  expect(ratePerSecond(before, after)).toBe(rate);
});

it('has a gap at the beginning and at each new beginning', () => {
  const readings = [0, 10, 30, 5, 6].map((total, index) => ({ atMs: index * 1_000, total }));

  expect(ratesOf(readings)).toEqual([null, 10, 20, null, 1]);
});
