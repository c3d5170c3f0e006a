import { expect, it } from 'vitest';

import { ManualClock } from '../engine/fixtures/manual-clock.ts';
import { ApiReach } from './api-reach.ts';

it('is out of reach as long as a watch is broken, however often the server answers', async () => {
  const clock = new ManualClock();
  const reach = new ApiReach(clock);
  reach.answered();
  const first = reach.since;

  reach.watchFailed('leases');
  await clock.advance(600_000);
  reach.answered();

  expect([first, reach.since]).toEqual([1_000_000, undefined]);
});

it('is within reach anew when all watches are back, and had time to tell what they have missed', async () => {
  const clock = new ManualClock();
  const reach = new ApiReach(clock);
  for (const watch of ['leases', 'hypervisors']) reach.watchFailed(watch);

  reach.watchReady('leases');
  await clock.advance(10_000);
  reach.answered();
  const half = reach.since;
  reach.watchReady('hypervisors');
  reach.answered();
  const early = reach.since;
  await clock.advance(2_000);
  reach.answered();

  expect([half, early, reach.since]).toEqual([undefined, undefined, 1_012_000]);
});

it('stays within reach since when it was, though a watch that was never broken is begun anew', () => {
  const reach = new ApiReach(new ManualClock());
  reach.answered();

  reach.watchReady('leases');
  reach.answered();

  expect(reach.since).toBe(1_000_000);
});
