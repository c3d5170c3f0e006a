import { expect, it } from 'vitest';

import { ManualClock } from '../engine/fixtures/manual-clock.ts';
import { ApiReach } from './api-reach.ts';

it('is out of reach as long as a watch is broken, however often the server answers', async () => {
  const clock = new ManualClock();
  const reach = new ApiReach(clock, []);
  reach.answered();
  const first = reach.since;

  reach.watchFailed('leases');
  await clock.advance(600_000);
  reach.answered();

  expect([first, reach.since]).toEqual([1_000_000, undefined]);
});

it('is within reach anew when all watches are back, and had time to tell what they have missed', async () => {
  const clock = new ManualClock();
  const reach = new ApiReach(clock, []);
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
  const reach = new ApiReach(new ManualClock(), []);
  reach.answered();

  reach.watchReady('leases');
  reach.answered();

  expect(reach.since).toBe(1_000_000);
});

it('is out of reach until each watch was there once, and within reach with the next answer', () => {
  const reach = new ApiReach(new ManualClock(), ['leases', 'hypervisors']);

  reach.watchReady('leases');
  reach.answered();
  const half = reach.since;
  reach.watchReady('hypervisors');
  reach.answered();

  expect([half, reach.since]).toEqual([undefined, 1_000_000]);
});

it('stays within reach when a watch that ended is followed by another one soon', async () => {
  const clock = new ManualClock();
  const reach = new ApiReach(clock, []);
  reach.answered();

  reach.watchEnded('leases');
  await clock.advance(3_000);
  reach.watchReady('leases');
  await clock.advance(600_000);

  expect(reach.since).toBe(1_000_000);
});

it('is out of reach when a watch that ended is followed by none soon, whether somebody looked meanwhile or not', async () => {
  const clock = new ManualClock();
  const [looked, unlooked] = [new ApiReach(clock, []), new ApiReach(clock, [])];
  for (const reach of [looked, unlooked]) {
    reach.answered();
    reach.watchEnded('leases');
  }

  await clock.advance(3_001);
  looked.answered();
  const hanging = looked.since;
  unlooked.watchReady('leases');
  unlooked.answered();

  expect([hanging, unlooked.since]).toEqual([undefined, undefined]);
});
