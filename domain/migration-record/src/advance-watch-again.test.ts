import { describe, expect, it } from 'vitest';

import { advanceWatch } from './advance-watch.ts';
import { FIRST_MS, iteration, job, monitor, outgoing, see, self } from './see-sightings.ts';
import { observationOf, resumeWatch } from './watch.ts';

describe('an origin that is tried again at once', () => {
  const aborted = [iteration, outgoing(400n), outgoing(1400n), monitor('cancelling'), monitor('cancelled')];

  it.each([
    { what: 'the next look finds another job', next: [outgoing(37n)] },
    { what: 'it begins to send', next: [iteration, outgoing(37n)] },
    { what: 'QEMU sets it up', next: [monitor('setup'), monitor('active'), iteration, outgoing(37n)] },
    { what: 'QEMU sets it up, and it never begins to send', next: [monitor('setup'), outgoing(37n)] },
    { what: 'the first was seen to end', next: [job('none'), monitor('setup'), outgoing(37n)] },
    { what: 'the other job has become older than the first was seen', next: [outgoing(1500n)] },
  ])('is told as two when $what', ({ next }) => {
    const { told, ended, watch } = see(...aborted, ...next);

    expect(told).toEqual(['origin 1', 'origin 1', 'origin 1 cancelled', 'origin 1']);
    expect(watch?.end).toBeUndefined();
    expect(watch?.suspicion).toBeUndefined();
    expect(watch?.isEstimated).toBe(false);
    expect(watch?.startedAtMs).toBeGreaterThan(FIRST_MS + 2000);
    for (const { startedAtMs } of ended) expect(startedAtMs).toBe(FIRST_MS + 600);
  });

  it('looks when it sends from the start', () => {
    expect(see(...aborted, iteration).effects.at(-1)).toBe('look');
    expect(see(...aborted, { kind: 'iteration', iteration: 7 }).effects).toHaveLength(5);
  });

  it('has failed the first time if nobody cancelled it, and ended when the next began', () => {
    const { told, ended } = see(iteration, outgoing(400n), outgoing(1400n), outgoing(700n));

    expect(told).toEqual(['origin 1', 'origin 1', 'origin 1 failed', 'origin 1']);
    expect(ended).toEqual([expect.objectContaining({ startedAtMs: FIRST_MS + 600, elapsedMs: 1700 })]);
  });

  it('is one when QEMU sets up what was found before', () => {
    expect(see(outgoing(10n), monitor('setup'), iteration, outgoing(3010n)).told).toEqual(['origin 1', 'origin 1']);
  });

  it('is found when the agent was started anew meanwhile', () => {
    const first = see(iteration, outgoing(400n)).watch;
    const moment = { wallMs: FIRST_MS + 60_000, monotonicMs: 5 };
    const resumed = first && resumeWatch(observationOf(first, self, moment), moment);

    const same = advanceWatch(resumed, outgoing(59_400n), moment);
    const another = advanceWatch(resumed, outgoing(2000n), moment);

    expect([same.ended, same.watch?.startedAtMs]).toEqual([undefined, FIRST_MS + 600]);
    expect([another.ended?.startedAtMs, another.watch?.startedAtMs]).toEqual([FIRST_MS + 600, FIRST_MS + 58_000]);
  });
});

describe('an origin whose job seems younger than it was', () => {
  const { watch } = see(iteration, outgoing(400n), outgoing(1400n));

  it.each([
    { what: 'the clock was set back', setMs: -1300, elapsed: 1100n },
    { what: 'the clock was set back, and libvirt counts by another', setMs: -1300, elapsed: 2400n },
    { what: 'the clock was set forward', setMs: 3_600_000, elapsed: 3_602_400n },
    { what: 'the clock was set forward, and libvirt counts by another', setMs: 3_600_000, elapsed: 2400n },
    { what: 'the answer took long', setMs: 0, elapsed: 2400n, tookMs: 9000 },
    { what: 'libvirt makes no sense of the clock', setMs: 0, elapsed: 2n ** 64n - 5n },
  ])('is the same when $what', ({ setMs, elapsed, tookMs = 0 }) => {
    const askedAt = { wallMs: FIRST_MS + 3000 + setMs, monotonicMs: 3000 };
    const moment = { wallMs: askedAt.wallMs + tookMs, monotonicMs: 3000 + tookMs };
    const sighting = { kind: 'job', type: 'unbounded', stats: { operation: 5, time_elapsed: elapsed } } as const;

    const step = advanceWatch(watch, { ...sighting, askedAt }, moment);

    expect(step).toMatchObject({ watch: { startedAtMs: FIRST_MS + 600 }, effects: ['report'] });
    expect(step.ended).toBeUndefined();
  });
});

it('has not stood still when two looks follow each other at once, and the last came too late', () => {
  const { watch } = see(iteration, outgoing(400n, 4096n));
  const soon = { wallMs: FIRST_MS + 1010, monotonicMs: 1010 };

  const looked = advanceWatch(watch, outgoing(410n, 4096n), soon).watch;
  const cancelled = advanceWatch(looked, monitor('cancelled'), soon).watch;
  const over = advanceWatch(cancelled, job('none'), soon).watch;

  expect(over?.end?.result.kind).toBe('cancelled');
});
