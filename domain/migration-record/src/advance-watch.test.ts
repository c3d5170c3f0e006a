import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { advanceWatch, type Sighting } from './advance-watch.ts';
import {
  FIRST_MS,
  iteration,
  job,
  lifecycle,
  missing,
  monitor,
  outgoing,
  pastJob,
  see,
  self,
} from './see-sightings.ts';
import { observationOf, resumeWatch } from './watch.ts';

const active = {
  kind: 'job',
  type: 'unbounded',
  stats: { operation: 5, memory_iteration: 1n },
} as const;

const stuck: Sighting = { ...active, stats: { ...active.stats, data_processed: 4096n } };

describe('an origin', () => {
  it('is told from the first look to the statistics of the end', () => {
    const { told, watch } = see(
      iteration,
      job('unbounded', { operation: 5, time_elapsed: 400n, memory_iteration: 1n }),
      job('unbounded', { operation: 5, time_elapsed: 1400n, memory_iteration: 2n }),
      lifecycle('suspended migrated'),
      lifecycle('stopped migrated'),
      { kind: 'job-completed', stats: { operation: 5, time_elapsed: 3314n, downtime: 79n } },
    );

    expect(told).toEqual(['origin 1', 'origin 2', 'origin 2 completed', 'origin completed']);
    expect(watch?.progress).toEqual({ timeElapsed: '3.314s', downtime: '79ms' });
  });

  it('began as long ago as the first look says', () => {
    const { watch } = see(iteration, job('unbounded', { operation: 5, time_elapsed: 400n }));

    expect(watch).toMatchObject({ startedAtMs: FIRST_MS + 1000 - 400, isEstimated: false, isCertain: true });
  });

  it.each([
    {
      what: 'cancelled by a client',
      seen: [monitor('cancelling'), active, monitor('cancelled'), job('cancelled')],
      end: 'cancelled',
    },
    {
      what: 'cancelled, and the look came too late',
      seen: [monitor('cancelling'), active, monitor('cancelled')],
      end: 'cancelled',
    },
    {
      what: 'given up by libvirt, which cancels it',
      seen: [monitor('cancelling'), job('failed'), monitor('cancelled')],
      end: 'failed',
    },
    {
      what: 'given up after it stood still, and the look came too late',
      seen: [stuck, stuck, monitor('cancelling'), monitor('cancelled')],
      end: 'failed',
    },
    { what: 'failed in QEMU', seen: [monitor('failed'), job('failed')], end: 'failed' },
    { what: 'over without a word', seen: [], end: 'failed' },
  ])('ends as $end when it was $what', ({ seen, end }) => {
    const { told, watch } = see(iteration, active, ...seen, lifecycle('resumed migrated'), job('none'));

    expect(told.at(-1)).toBe(`origin 1 ${end}`);
    expect(watch?.end?.result.error).toMatch(/origin/);
  });

  it('tells nothing of a guest that is saved, which begins alike', () => {
    const save = { operation: 2, time_elapsed: 10n };
    const { told, watch } = see(
      iteration,
      job('unbounded', save),
      iteration,
      { kind: 'job-completed', stats: save },
      lifecycle('stopped saved'),
    );

    expect(told).toEqual([]);
    expect(watch).toBeUndefined();
  });

  it('tells the whole story at its end when the driver tells nothing before', () => {
    expect(see(lifecycle('stopped migrated')).told).toEqual(['origin completed']);
    expect(see({ kind: 'job-completed', stats: { time_elapsed: 5n } }).told).toEqual(['origin completed']);
  });

  it('is found when the agent comes late', () => {
    const { told, watch } = see(job('unbounded', { operation: 5, time_elapsed: 60_000n, memory_iteration: 3n }));

    expect(told).toEqual(['origin 3']);
    expect(watch).toMatchObject({ startedAtMs: FIRST_MS - 60_000, isEstimated: true });
  });

  it('fails with the words of libvirt if there are any', () => {
    const { watch } = see(iteration, active, {
      kind: 'job-completed',
      stats: { operation: 5, success: false, errmsg: 'no space' },
    });

    expect(watch?.end?.result).toEqual({ kind: 'failed', error: 'no space' });
  });

  it('waits for the word of the end before a guest that is gone counts as lost', () => {
    expect(see(iteration, active, missing(false)).watch?.end).toBeUndefined();
    expect(see(iteration, active, missing(false), lifecycle('stopped migrated')).told.at(-1)).toBe(
      'origin 1 completed',
    );
    expect(see(iteration, active, missing(false), missing(false)).told.at(-1)).toBe('origin 1 failed');
    expect(see(iteration, active, missing(true)).told.at(-1)).toBe('origin 1 completed');
  });

  it('fails when the guest dies on the way', () => {
    const { watch } = see(iteration, active, lifecycle('stopped crashed'));

    expect(watch?.end?.result).toEqual({ kind: 'failed', error: 'the guest was stopped: crashed' });
  });
});

describe('a destination', () => {
  it('is told from the start of the guest to the statistics that the origin left', () => {
    const { told, effects } = see(
      lifecycle('started migrated'),
      lifecycle('resumed migrated'),
      pastJob('completed', { operation: 4, memory_iteration: 3n }, true),
    );

    expect(told).toEqual(['destination', 'destination 3 completed']);
    expect(effects).toEqual(['report', 'look-back', 'report']);
  });

  it('has arrived when it runs, even if the daemon has forgotten how, or tells it a moment later', () => {
    const running = pastJob('none', {}, true);
    const arriving = [lifecycle('started migrated'), lifecycle('resumed migrated'), running];

    expect(see(...arriving).told).toEqual(['destination']);
    expect(see(...arriving, job('none'), running).told.at(-1)).toBe('destination completed');
    expect(
      see(...arriving, job('none'), pastJob('completed', { operation: 4, memory_iteration: 3n }, true)).told.at(-1),
    ).toBe('destination 3 completed');
  });

  it('has arrived when it is paused as it was, but only if the job says so', () => {
    const paused = [lifecycle('started migrated'), lifecycle('suspended paused')];

    expect(see(...paused, pastJob('none', {}, false)).told).toEqual(['destination']);
    expect(see(...paused, pastJob('completed', { operation: 4 }, false)).told.at(-1)).toBe('destination completed');
  });

  it('is told at its end when the agent came late', () => {
    const { watch } = see(
      lifecycle('resumed migrated'),
      pastJob('completed', { operation: 4, time_elapsed: 3000n }, true),
    );

    expect(watch).toMatchObject({ role: 'destination', isEstimated: true, end: { result: { kind: 'completed' } } });
  });

  it('is no destination when a guest goes on that could not leave', () => {
    expect(see(lifecycle('resumed migrated'), pastJob('none', {}, true)).told).toEqual([]);
  });

  it.each(['stopped failed', 'stopped destroyed', 'suspended postcopy-failed'])('fails with %s', (what) => {
    expect(see(lifecycle('started migrated'), lifecycle(what)).told.at(-1)).toBe('destination failed');
  });

  it('arrives after all when a broken post-copy is mended', () => {
    const broken = [lifecycle('started migrated'), lifecycle('suspended postcopy-failed')];
    const mended = [lifecycle('resumed migrated'), pastJob('completed', { operation: 4 }, true)];

    expect(see(...broken, ...mended).told.at(-1)).toBe('destination completed');
  });

  it('is one migration when it is found before its start is told', () => {
    expect(see({ kind: 'incoming' }, lifecycle('started migrated')).told).toEqual(['destination']);
  });

  it.each([
    { what: 'is seen to leave', next: [active], left: 'origin 1', lastedMs: 2000 },
    { what: 'begins to leave', next: [iteration, active], left: 'origin 1', lastedMs: 2000 },
    {
      what: 'is suspended to leave',
      next: [lifecycle('suspended migrated'), active],
      left: 'origin 1',
      lastedMs: 2000,
    },
    { what: 'has left', next: [lifecycle('stopped migrated')], left: 'origin completed', lastedMs: 2000 },
    { what: 'left a second ago', next: [outgoing(1000n)], left: 'origin 1', lastedMs: 1000 },
  ])('has arrived, though nobody saw it, when the guest $what', ({ next, left, lastedMs }) => {
    const { told, ended } = see(lifecycle('started migrated'), { kind: 'incoming' }, ...next);

    expect(told).toEqual(['destination', 'destination completed', left]);
    expect(ended).toEqual([expect.objectContaining({ elapsedMs: lastedMs })]);
  });

  it('is found on its way in, and lost when it is gone', () => {
    const seen: Sighting[] = [{ kind: 'incoming' }, { kind: 'incoming' }, missing(false), missing(false)];

    expect(see(...seen).told).toEqual(['destination', 'destination failed']);
  });
});

it('goes on with what was observed before the agent was started anew', () => {
  const before = see(iteration, active).watch;
  const moment = { wallMs: FIRST_MS + 60_000, monotonicMs: 5 };

  const watch = before && resumeWatch(observationOf(before, self, moment), moment);

  expect(watch && observationOf(watch, self, moment)).toMatchObject({
    elapsedMs: 59_000,
    isEstimated: true,
    role: 'origin',
  });
});

it('takes what begins after the agent was started anew for another one, unless the first is seen to go on', () => {
  const moment = { wallMs: FIRST_MS + 60_000, monotonicMs: 60_000 };
  const before = see(lifecycle('started migrated')).watch;
  const resumed = before && resumeWatch(observationOf(before, self, moment), moment);

  const another = advanceWatch(resumed, lifecycle('started migrated'), moment);
  const found = advanceWatch(resumed, { kind: 'incoming' }, moment);
  const same = advanceWatch(found.watch, lifecycle('started migrated'), moment);
  const gone = advanceWatch(resumed, missing(false), moment);

  expect(another.watch?.startedAtMs).toBe(moment.wallMs);
  expect(same.watch?.startedAtMs).toBe(FIRST_MS);
  expect(gone.watch?.end?.result.kind).toBe('failed');
});

describe('a migration whose guest was started anew while nobody watched', () => {
  const moment = { wallMs: FIRST_MS + 60_000, monotonicMs: 60_000 };
  const before = see(lifecycle('started migrated')).watch;
  const resumed = before && resumeWatch(observationOf(before, self, moment), moment);

  it('is over, whatever was seen of the guest since, and what comes in is another', () => {
    const found = advanceWatch(resumed, { kind: 'incoming' }, moment).watch;

    for (const watch of [resumed, found]) {
      const over = advanceWatch(watch, { kind: 'started-anew' }, moment);
      const next = advanceWatch(over.watch, { kind: 'incoming' }, moment);

      expect(over.ended?.end?.result.kind).toBe('failed');
      expect(over.ended?.startedAtMs).toBe(FIRST_MS);
      expect(next).toMatchObject({ watch: { startedAtMs: moment.wallMs, isEstimated: true }, effects: ['report'] });
    }
  });

  it('is not told again if its end was seen', () => {
    const ended = advanceWatch(resumed, missing(false), moment).watch;

    expect(advanceWatch(ended, { kind: 'started-anew' }, moment)).toEqual({ watch: undefined, effects: [] });
  });

  it('is nothing if it was not known to be one', () => {
    const unsure = see(iteration).watch;

    const { watch, ended } = advanceWatch(unsure, { kind: 'started-anew' }, moment);

    expect([watch, ended]).toEqual([undefined, undefined]);
  });
});

it('measures by a clock that cannot be set', () => {
  const { watch } = see(iteration, active);
  const later = { wallMs: FIRST_MS - 3_600_000, monotonicMs: 12_000 };

  expect(watch && observationOf(watch, self, later)).toMatchObject({ elapsedMs: 11_000 });
});

it('never changes its mind about an end but for the better, and tells nothing of what ended before', () => {
  const anything: fc.Arbitrary<Sighting> = fc.constantFrom<Sighting>(
    active,
    job('none'),
    job('cancelled'),
    monitor('failed'),
    missing(false),
    { kind: 'incoming' },
    lifecycle('stopped destroyed'),
    lifecycle('suspended paused'),
    pastJob('none', {}, true),
  );
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 10 }), (later) => {
      const { watch, told } = see(iteration, active, lifecycle('stopped migrated'), ...later);

      expect(watch?.end?.result).toEqual({ kind: 'completed' });
      expect(told).toEqual(['origin 1', 'origin 1 completed']);
    }),
  );
});
