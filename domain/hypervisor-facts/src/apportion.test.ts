import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { apportion } from './apportion.ts';

describe('apportion', () => {
  it.each([
    { amount: 10, weights: [1, 1], shares: [5, 5] },
    { amount: 10, weights: [1, 1, 1], shares: [4, 3, 3] },
    { amount: 11, weights: [1, 1, 1], shares: [4, 4, 3] },
    { amount: 3, weights: [1, 2, 0], shares: [1, 2, 0] },
    { amount: 5, weights: [1, 3], shares: [1, 4] },
    { amount: 5, weights: [0, 0], shares: [0, 0] },
    { amount: 5, weights: [], shares: [] },
    { amount: 0, weights: [1, 2], shares: [0, 0] },
  ])('divides $amount by $weights', ({ amount, weights, shares }) => {
    expect(apportion(amount, weights)).toEqual(shares);
  });

  it('loses nothing, and no share is off by one or more', () => {
    const weights = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 16 });

    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), weights, (amount, given) => {
        const sum = given.reduce((total, weight) => total + weight, 0);
        fc.pre(sum > 0);

        const shares = apportion(amount, given);

        expect(shares.reduce((total, share) => total + share, 0)).toBe(amount);
        for (const [index, share] of shares.entries()) {
          expect(Math.abs(share - (amount * (given[index] ?? 0)) / sum)).toBeLessThan(1.001);
        }
      }),
    );
  });
});
