import { expect, it } from 'vitest';

import { humanDuration } from './human-duration.ts';

it.each([
  [-5, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [330, '5m30s'],
  [600, '10m'],
  [10_799, '179m'],
  [10_800, '3h'],
  [11_100, '3h5m'],
  [172_799, '47h'],
  [172_800, '2d'],
  [187_200, '2d4h'],
  [691_200, '8d'],
  [63_072_000, '2y'],
  [64_000_000, '2y10d'],
  [300_000_000, '9y'],
])('shows an age of %d s as %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});
