import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { play, stories } from './fixtures/happenings.ts';

const TIMEOUT = { timeout: 600_000 };

it(
  'a virtual machine never runs twice, and never meets a newer disk, in many stories of nodes that fail',
  TIMEOUT,
  () => {
    fc.assert(
      fc.property(stories(), (story) => {
        const { damages, runningOn } = play(story);

        expect(damages).toEqual([]);
        expect(runningOn).toHaveLength(1);
      }),
      { numRuns: 5_000 },
    );
  },
);
