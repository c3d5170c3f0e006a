import type { RememberedInstance } from '@smalt/eviction-plan';
import { describe, expect, it } from 'vitest';

import { allowForClockJump } from './allow-for-clock-jump.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const moving: RememberedInstance = { id: 'a', state: 'Moving', attempts: 1, since: '2026-01-01T11:59:00.000Z' };
const before = { now: NOON, monotonic: 1_000_000 };

describe('allowForClockJump', () => {
  it.each([
    ['nobody set the clock', 10_000, '2026-01-01T11:59:00.000Z'],
    ['the clock was helped a little', 12_000, '2026-01-01T11:59:00.000Z'],
    ['the clock was set forward by an hour', 3_610_000, '2026-01-01T12:59:00.000Z'],
    ['the clock was set back by an hour', -3_590_000, '2026-01-01T10:59:00.000Z'],
  ])('when %s', (_when, passedMs, since) => {
    const now = { now: NOON + passedMs, monotonic: before.monotonic + 10_000 };

    expect(allowForClockJump([moving], before, now)).toEqual([{ ...moving, since }]);
  });

  it('trusts in what is written down at the first look, and in what has no time', () => {
    const { since: _, ...timeless } = moving;
    const later = { now: NOON + 3_600_000, monotonic: before.monotonic };

    expect(allowForClockJump([moving], undefined, later)).toEqual([moving]);
    expect(allowForClockJump([timeless], before, later)).toEqual([timeless]);
  });
});
