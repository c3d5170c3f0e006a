import { expect, it } from 'vitest';

import { advanceProgress } from './progress.ts';

it('begins to wait when it falls behind', () => {
  expect(advanceProgress(undefined, { wanted: 3n, reached: 2n }, 10)).toEqual({ reached: 2n, behindSince: 10 });
  expect(advanceProgress({ reached: 2n, behindSince: undefined }, { wanted: 3n, reached: 2n }, 10)).toEqual({
    reached: 2n,
    behindSince: 10,
  });
});

it('goes on waiting while nothing moves, though ever more is wanted', () => {
  expect(advanceProgress({ reached: 2n, behindSince: 10 }, { wanted: 9n, reached: 2n }, 50)).toEqual({
    reached: 2n,
    behindSince: 10,
  });
});

it('waits anew with each step, because one that moves is only busy', () => {
  expect(advanceProgress({ reached: 2n, behindSince: 10 }, { wanted: 9n, reached: 3n }, 50)).toEqual({
    reached: 3n,
    behindSince: 50,
  });
});

it('is done when it has caught up, or begun anew from a smaller number', () => {
  expect(
    advanceProgress({ reached: 2n, behindSince: 10 }, { wanted: 3n, reached: 3n }, 50).behindSince,
  ).toBeUndefined();
  expect(
    advanceProgress({ reached: 9n, behindSince: 10 }, { wanted: 1n, reached: 1n }, 50).behindSince,
  ).toBeUndefined();
});
