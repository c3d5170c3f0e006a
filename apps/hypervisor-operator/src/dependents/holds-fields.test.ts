import { expect, it } from 'vitest';

import { holdsFields } from './holds-fields.ts';

it.each([
  { whole: { a: 1, b: 2 }, part: { a: 1 }, holds: true },
  { whole: { a: 1 }, part: { a: 1, b: undefined }, holds: true },
  { whole: { a: 1 }, part: { a: 2 }, holds: false },
  { whole: { a: 1 }, part: { b: 1 }, holds: false },
  { whole: { a: { b: 1, c: 2 } }, part: { a: { c: 2 } }, holds: true },
  { whole: { a: [{ b: 1, c: 2 }] }, part: { a: [{ b: 1 }] }, holds: true },
  { whole: { a: [1, 2] }, part: { a: [1] }, holds: false },
  { whole: { a: [2, 1] }, part: { a: [1, 2] }, holds: false },
  { whole: { a: 'x' }, part: { a: { b: 1 } }, holds: false },
  { whole: { a: { b: 1 } }, part: { a: [] }, holds: false },
  { whole: undefined, part: { a: 1 }, holds: false },
])('finds $part in $whole: $holds', ({ whole, part, holds }) => {
  expect(holdsFields(whole, part)).toBe(holds);
});
