import { expect, it } from 'vitest';

import { playInProcesses } from './play-in-processes.ts';
import { playSeeds } from './play-seeds.ts';
import { parseSeeds, splitSeeds } from './seed-range.ts';

it('adds up to the same, however many processes play', async () => {
  const range = { first: 1, last: 4 };
  const { signal } = new AbortController();

  const apart = await playInProcesses(range, { jobs: 2, partSize: 1, progress: () => undefined, signal });

  expect(apart).toEqual(await playSeeds(range));
  expect(apart.seeds).toBe(4);
}, 120_000);

it('reads seeds and ranges, and says what it wants otherwise', () => {
  expect([parseSeeds('7'), parseSeeds('1..30')]).toEqual([
    { first: 7, last: 7 },
    { first: 1, last: 30 },
  ]);
  expect(splitSeeds({ first: 1, last: 5 }, 2).map(({ first, last }) => [first, last])).toEqual([
    [1, 2],
    [3, 4],
    [5, 5],
  ]);
  for (const text of ['', '5..1', 'x', '1-3']) expect(() => parseSeeds(text)).toThrow(/--seeds must be/u);
});
