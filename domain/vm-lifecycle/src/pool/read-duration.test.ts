import { expect, it } from 'vitest';

import { readDuration } from './read-duration.ts';

it.each([
  ['5m', 300_000],
  ['1h30m0s', 5_400_000],
  ['250ms', 250],
  ['1.5s', 1_500],
  ['', undefined],
  ['5', undefined],
  ['-5m', undefined],
])('reads %j as %s', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});
