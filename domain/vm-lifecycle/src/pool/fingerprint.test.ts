import { expect, it } from 'vitest';

import { fingerprint } from './fingerprint.ts';

it('is the same in whatever order fields stand, and whether what is not set is named', () => {
  expect(fingerprint({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(fingerprint({ b: { c: [1, 2] }, a: 1 }));
});

it.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: '1' }, { a: 1 }],
  [{ a: null }, {}],
  [undefined, {}],
])('tells %j from %j', (left, right) => {
  expect(fingerprint(left)).not.toBe(fingerprint(right));
});
