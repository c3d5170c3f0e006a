import { expect, it } from 'vitest';

import { microTime } from './micro-time.ts';

it.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1_767_225_600_007, '2026-01-01T00:00:00.007000Z'],
])('writes %d ms as %s', (milliseconds, text) => {
  expect(microTime(milliseconds)).toBe(text);
  expect(Date.parse(text)).toBe(milliseconds);
});
