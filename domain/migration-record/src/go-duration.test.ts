import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatGoDuration, parseGoDuration } from './go-duration.ts';

describe('formatGoDuration', () => {
  it.each([
    [0, '0s'],
    [-5, '0s'],
    [350, '350ms'],
    [1000, '1s'],
    [2755, '2.755s'],
    [35_078, '35.078s'],
    [60_010, '1m0.01s'],
    [65_000, '1m5s'],
    [3_600_000, '1h0m0s'],
    [90_061_001, '25h1m1.001s'],
  ])('prints %d ms as %s', (milliseconds, text) => {
    expect(formatGoDuration(milliseconds)).toBe(text);
  });
});

describe('parseGoDuration', () => {
  it.each(['', '5', 's', '1x', '-1s', '1 s', '1s!'])('takes %j for no duration', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });

  it('reads units that Go prints and we never do', () => {
    expect(parseGoDuration('1m500µs')).toBe(60_000.5);
    expect(parseGoDuration('1.5h')).toBe(5_400_000);
  });

  it('reads back what was printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (milliseconds) => {
        expect(parseGoDuration(formatGoDuration(milliseconds))).toBeCloseTo(milliseconds, 3);
      }),
    );
  });
});
