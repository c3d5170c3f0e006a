import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { at, instance, NOW } from '../fixtures/objects.ts';
import { judgeStartFailure, startDelayLeftMs, startDelaySeconds } from './start-failure.ts';

describe('startDelaySeconds', () => {
  it.each([
    [0, 10, 15],
    [1, 10, 15],
    [2, 40, 60],
    [3, 90, 135],
    [4, 160, 240],
    [5, 250, 300],
    [6, 300, 300],
    [60, 300, 300],
  ])('waits after %i failures from %i to %i seconds', (failCount, least, most) => {
    expect([startDelaySeconds(failCount, 0), startDelaySeconds(failCount, 0.999_999)]).toEqual([least, most]);
  });

  it('never waits longer than five minutes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failCount, random) => {
        const seconds = startDelaySeconds(failCount, random);

        expect(seconds).toBeGreaterThanOrEqual(10);
        expect(seconds).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe('judgeStartFailure', () => {
  const facts = { known: undefined, strategy: 'Always', now: NOW, random: 0 } as const;
  const second = { consecutiveFailCount: 1, lastFailedVMIUID: 'earlier', retryAfterTimestamp: at(-5) };

  it('counts an instance that ended without having run', () => {
    expect(judgeStartFailure({ ...facts, vmi: instance('Failed') })).toEqual({
      consecutiveFailCount: 1,
      lastFailedVMIUID: 'vmi-uid',
      retryAfterTimestamp: at(10),
    });
  });

  it('waits longer after the next one', () => {
    expect(judgeStartFailure({ ...facts, known: second, vmi: instance('Failed') })).toMatchObject({
      consecutiveFailCount: 2,
      retryAfterTimestamp: at(40),
    });
  });

  it('counts each instance once', () => {
    const known = { ...second, lastFailedVMIUID: 'vmi-uid' };

    expect(judgeStartFailure({ ...facts, known, vmi: instance('Failed') })).toEqual(known);
  });

  it.each([
    ['one has run', { vmi: instance('Failed', { phaseTransitionTimestamps: [{ phase: 'Running' }] }) }],
    ['nobody restarts it', { vmi: instance('Failed'), strategy: 'Manual' as const }],
  ])('forgets failures when %s', (_when, change) => {
    expect(judgeStartFailure({ ...facts, known: second, ...change })).toBeUndefined();
  });

  it('remembers failures while the next one is on its way', () => {
    expect(judgeStartFailure({ ...facts, known: second, vmi: instance('Scheduling') })).toEqual(second);
    expect(startDelayLeftMs({ retryAfterTimestamp: at(7) }, NOW)).toBe(7000);
  });
});

describe('startDelayLeftMs', () => {
  it.each([
    ['is over', -1, 0],
    ['is not over', 300, 300_000],
    ['was written by a clock that has been set back since', 3 * 3600, 0],
  ])('of a delay that %s', (_what, seconds, leftMs) => {
    expect(startDelayLeftMs({ retryAfterTimestamp: at(seconds) }, NOW)).toBe(leftMs);
  });
});
