import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isSameValue } from './is-same-value.ts';

describe('isSameValue', () => {
  it.each<{ left: unknown; right: unknown; isSame: boolean }>([
    { left: { a: 1, b: [{ c: 'd' }] }, right: { b: [{ c: 'd' }], a: 1 }, isSame: true },
    { left: { a: [] }, right: {}, isSame: true },
    { left: { a: null }, right: {}, isSame: true },
    { left: { bridge: {} }, right: {}, isSame: false },
    { left: { a: 1 }, right: { a: '1' }, isSame: false },
    { left: [1, 2], right: [2, 1], isSame: false },
    { left: [1], right: [1, 2], isSame: false },
    { left: {}, right: { constructor: {} }, isSame: false },
    { left: [], right: 'text', isSame: false },
  ])('$left and $right: $isSame', ({ left, right, isSame }) => {
    expect(isSameValue(left, right)).toBe(isSame);
    expect(isSameValue(right, left)).toBe(isSame);
  });

  it('holds for any value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSameValue(value, structuredClone(value))).toBe(true);
      }),
    );
  });
});
