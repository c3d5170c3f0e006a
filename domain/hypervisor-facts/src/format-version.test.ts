import { expect, it } from 'vitest';

import { formatVersion } from './format-version.ts';

it.each([
  [8_000_000, '8.0.0'],
  [8_001_002, '8.1.2'],
  [10_009_003, '10.9.3'],
  [0, '0.0.0'],
  [999_999_999, '999.999.999'],
  [12_006_000n, '12.6.0'],
])('unpacks %d', (packed, version) => {
  expect(formatVersion(packed)).toBe(version);
});
