import { expect, it } from 'vitest';

import { playSeeds } from './play-seeds.ts';

it('finds nothing wrong with the service in thousands of incidents', async () => {
  const totals = await playSeeds({ first: 1, last: STORIES });

  expect(totals.failures).toEqual([]);
  expect(totals.incidents).toBeGreaterThan(2_000);
  expect(totals.fates['recovered']).toBeGreaterThan(totals.incidents / 2);
  expect(totals.inTime).toBeGreaterThan(STORIES);
}, 300_000);

const STORIES = 370;
