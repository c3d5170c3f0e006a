import { expect, it } from 'vitest';

import { busyShare, parseTicks } from './machine-load.ts';

it('tells which share of the time the processors were busy', () => {
  const before = parseTicks('cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3\n');
  const after = parseTicks('cpu  150 0 75 820 55 0 0 0 0 0\ncpu0 1 2 3\n');

  expect(before).toEqual({ all: 1_000, idle: 850 });
  expect(busyShare(before, after)).toBe(0.75);
  expect(busyShare(before, before)).toBe(0);
});
