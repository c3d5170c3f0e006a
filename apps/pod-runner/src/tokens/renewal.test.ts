import { expect, it } from 'vitest';

import { renewAfterMs } from './renewal.ts';

it.each([
  { expirationSeconds: 600, afterMs: 480_000 },
  { expirationSeconds: 3_600, afterMs: 2_880_000 },
  { expirationSeconds: 7 * 86_400, afterMs: 86_400_000 },
])('renews a token of $expirationSeconds s after $afterMs ms', ({ expirationSeconds, afterMs }) => {
  expect(renewAfterMs(expirationSeconds)).toBe(afterMs);
});
