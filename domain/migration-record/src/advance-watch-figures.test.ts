import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Sighting } from './advance-watch.ts';
import type { JobStats } from './job-progress.ts';
import type { Observation } from './observation.ts';
import { FIRST_MS, iteration, job, lifecycle, missing, monitor, see, self } from './see-sightings.ts';
import { observationOf } from './watch.ts';

const stats: JobStats = {
  operation: 5,
  time_elapsed: 1400n,
  time_remaining: 30_000n,
  // While it goes on, this is what QEMU expects.
  downtime: 300n,
  data_total: 134_750_208n,
  data_processed: 4_194_304n,
  data_remaining: 125_829_120n,
  memory_total: 134_750_208n,
  memory_remaining: 125_829_120n,
  disk_remaining: 4096n,
  memory_iteration: 1n,
};
const sending = job('unbounded', stats);
const left = lifecycle('stopped migrated');
const jobCompleted: Sighting = {
  kind: 'job-completed',
  stats: {
    ...stats,
    time_elapsed: 3314n,
    time_remaining: 0n,
    downtime: 79n,
    data_processed: 93_406_564n,
    data_remaining: 0n,
    memory_remaining: 0n,
    disk_remaining: 0n,
  },
};
const emptied: JobStats = { operation: 5, time_elapsed: 3314n, downtime: 79n, memory_total: 0n };

const seenSoFar = { dataTotal: '128.5 MiB', dataProcessed: '4.0 MiB', memTotal: '128.5 MiB', memIteration: 1 };
const finalFigures = {
  timeElapsed: '3.314s',
  timeRemaining: '0s',
  downtime: '79ms',
  dataTotal: '128.5 MiB',
  dataProcessed: '89.1 MiB',
  dataRemaining: '0 B',
  memTotal: '128.5 MiB',
  memRemaining: '0 B',
  memIteration: 1,
  diskRemaining: '0 B',
};

describe('a success', () => {
  it.each<{ what: string; seen: readonly Sighting[] }>([
    { what: 'the guest has left', seen: [left] },
    { what: 'the guest is gone after QEMU had sent all', seen: [monitor('completed'), missing(false)] },
    { what: 'the guest is gone, and the daemon knows where to', seen: [missing(true)] },
    { what: 'the guest is gone, and the event comes late', seen: [missing(false), missing(false), left] },
  ])('lacks its figures when all that is known is that $what', ({ seen }) => {
    const observation = lastOf(sending, ...seen);

    expect(observation).toMatchObject({ result: { kind: 'completed' }, lacksFigures: true });
    expect(observation?.progress).toEqual({ timeElapsed: '1.4s', ...seenSoFar });
  });

  it('has them when libvirt has told the statistics of its end, and nothing that was expected before', () => {
    expect(lastOf(sending, left, jobCompleted)?.progress).toEqual(finalFigures);
    expect(lastOf(sending, left, { kind: 'job-completed', stats: emptied })?.progress).toEqual({
      ...seenSoFar,
      timeElapsed: '3.314s',
      downtime: '79ms',
    });
  });

  it('has them as soon as they are told, in whatever order the rest is seen, and lacks them before', () => {
    const others = [left, missing(false), missing(false), missing(true), monitor('completed'), job('completed')];
    fc.assert(
      fc.property(fc.shuffledSubarray(others), fc.nat({ max: 6 }), (seen, at) => {
        const all = seen.toSpliced(at, 0, jobCompleted);
        const told = all.map((_, last) => lastOf(sending, ...all.slice(0, last + 1)));

        const successes = told.filter((each) => each?.result?.kind === 'completed');
        const isKnown = successes.map((each) => each?.lacksFigures !== true);
        expect(isKnown).toEqual(successes.map((each) => each?.progress.downtime === '79ms'));
        expect(told.at(-1)).toMatchObject({ result: { kind: 'completed' }, progress: finalFigures });
        expect(isKnown.at(-1)).toBe(true);
      }),
    );
  });
});

it.each<{ end: string; seen: readonly Sighting[] }>([
  { end: 'failed', seen: [monitor('failed'), job('none')] },
  { end: 'failed', seen: [missing(false), missing(false)] },
  { end: 'cancelled', seen: [monitor('cancelling'), job('none')] },
])('tells of what was $end how far it was', ({ end, seen }) => {
  const observation = lastOf(sending, ...seen);

  expect(observation?.result?.kind).toBe(end);
  expect(observation?.lacksFigures).toBeUndefined();
  expect(observation?.progress).toMatchObject({ ...seenSoFar, dataRemaining: '120.0 MiB' });
});

/** What there is to tell of an origin after all that was seen. */
function lastOf(...seen: readonly Sighting[]): Observation | undefined {
  const { watch } = see(iteration, ...seen);
  return watch && observationOf(watch, self, { wallMs: FIRST_MS + 9000, monotonicMs: 9000 });
}
