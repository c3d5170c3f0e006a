import { expect, it } from 'vitest';

import { percentile } from './percentile.ts';

it.each([
  { samples: [3, 1, 2], part: 0.5, value: 2 },
  { samples: Array.from({ length: 100 }, (_, index) => index), part: 0.99, value: 99 },
  { samples: [7], part: 1, value: 7 },
  { samples: [], part: 0.5, value: 0 },
])('is $value at $part of $samples.length samples', ({ samples, part, value }) => {
  expect(percentile(samples, part)).toBe(value);
});
