import { describe, expect, it } from 'vitest';

import { advanceWatch } from './advance-watch.ts';
import { FIRST_MS, iteration, job, lifecycle, missing, monitor, see } from './see-sightings.ts';

const sent = { operation: 5, time_elapsed: 1400n, memory_total: 4096n, memory_bps: 512n, data_processed: 1024n };
const sending = job('unbounded', sent);
// libvirt calls a job active for some milliseconds after QEMU has dropped it.
const nothing = { operation: 5, memory_total: 0n, data_processed: 0n };
const emptied = job('unbounded', { ...nothing, time_elapsed: 2400n });
const later = job('unbounded', { ...nothing, time_elapsed: 3400n });
const forgotten = job('cancelled', { ...nothing, time_elapsed: 0n });
const last = { timeElapsed: '2.4s', memTotal: '4.0 KiB', memBps: '512 B/s', dataProcessed: '1.0 KiB' };

describe('an ended migration keeps the last progress that was seen', () => {
  it.each([
    { end: 'cancelled', seen: [emptied, monitor('cancelled'), forgotten, job('none')] },
    { end: 'cancelled', seen: [monitor('cancelling'), later, monitor('cancelled'), job('none')], elapsed: '3.4s' },
    { end: 'cancelled', seen: [emptied, monitor('cancelling'), monitor('cancelled'), job('none')] },
    { end: 'failed', seen: [emptied, monitor('failed'), job('failed'), job('none')] },
    { end: 'failed', seen: [emptied, job('none')] },
    { end: 'failed', seen: [emptied, lifecycle('stopped crashed')] },
    { end: 'failed', seen: [emptied, missing(false), missing(false)] },
    { end: 'completed', seen: [emptied, lifecycle('stopped migrated')] },
    { end: 'completed', seen: [emptied, monitor('completed'), missing(false)] },
  ])('when it is $end', ({ end, seen, elapsed = '2.4s' }) => {
    const { watch } = see(iteration, sending, ...seen);

    expect(watch?.end?.result.kind).toBe(end);
    expect(watch?.progress).toEqual({ ...last, timeElapsed: elapsed });
  });

  it('when the statistics of its end tell no more than the downtime', () => {
    const stats = { ...nothing, time_elapsed: 2500n, downtime: 79n };
    const { watch } = see(iteration, sending, lifecycle('stopped migrated'), { kind: 'job-completed', stats });

    expect(watch?.progress).toEqual({ ...last, timeElapsed: '2.5s', downtime: '79ms' });
  });

  it('but not that of the migration before', () => {
    const retry = job('unbounded', { operation: 5, time_elapsed: 10n, memory_total: 0n });

    const { watch, ended } = see(iteration, sending, emptied, retry);

    expect(ended.map(({ progress }) => progress)).toEqual([last]);
    expect(watch?.progress).toEqual({ timeElapsed: '10ms', memTotal: '0 B' });
  });
});

it('does not take a look that tells nothing for a migration that stands still, nor for one that goes on', () => {
  const { watch } = see(iteration, sending);
  const again = job('unbounded', { ...sent, time_elapsed: 2399n });

  const looked = advanceWatch(watch, emptied, at(2000)).watch;
  const stalled = advanceWatch(advanceWatch(watch, again, at(1999)).watch, emptied, at(2000)).watch;

  expect([looked?.isStalled, stalled?.isStalled]).toEqual([false, true]);
});

function at(ms: number): { readonly wallMs: number; readonly monotonicMs: number } {
  return { wallMs: FIRST_MS + ms, monotonicMs: ms };
}
