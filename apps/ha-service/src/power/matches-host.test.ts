import { expect, it } from 'vitest';

import { matchesHost } from './matches-host.ts';

it.each([
  { pattern: 'node1', host: 'node1', fits: true },
  { pattern: 'node1', host: 'node10', fits: false },
  { pattern: 'node*', host: 'node10', fits: true },
  { pattern: '*', host: 'anything', fits: true },
  { pattern: '*-a', host: 'rack-a', fits: true },
  { pattern: '*-a', host: 'rack-b', fits: false },
  { pattern: 'r*-n*-x', host: 'r1-n2-x', fits: true },
  { pattern: 'r*-n*-x', host: 'r1-m2-x', fits: false },
  { pattern: 'aa*aa', host: 'aaa', fits: false },
  { pattern: 'n.de1', host: 'node1', fits: false },
])('$pattern and $host: $fits', ({ pattern, host, fits }) => {
  expect(matchesHost(pattern, host)).toBe(fits);
});
