import { defaultDetectionSettings } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fixtures/manual-clock.ts';
import { StallWatch } from './stall-watch.ts';

const SETTINGS = { lookIntervalMs: 1_000, callTimeoutMs: 10_000, detection: defaultDetectionSettings };

describe('StallWatch', () => {
  it('has watched since its start as long as it looks often enough', async () => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);

    await clock.advance(25_000);

    expect(watch.look(clock.now(), SETTINGS)).toBeUndefined();
    expect(watch.startedAt).toBe(0);
  });

  it('begins anew after it stood still', async () => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);

    await clock.advance(25_001);

    expect(watch.look(clock.now(), SETTINGS)).toBe('the last look was 25001 ms ago, it may be 25000 at most');
    expect(watch.startedAt).toBe(25_001);
  });

  it('begins anew after a pause in which a living host could have come to look dead, however slow calls may be', async () => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);

    await clock.advance(76_000);

    expect(watch.look(clock.now(), { ...SETTINGS, callTimeoutMs: 120_000 })).toContain('it may be 75000 at most');
  });

  it.each([60_000, -60_000])('begins anew when the wall clock jumps by %d ms, and only once', async (jumpMs) => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);
    await clock.advance(1_000);
    clock.wallOffsetMs = jumpMs;

    const first = watch.look(clock.now(), SETTINGS);
    await clock.advance(1_000);

    expect(first).toBe('the wall clock has jumped by 60000 ms');
    expect(watch.look(clock.now(), SETTINGS)).toBeUndefined();
    expect(watch.startedAt).toBe(1_000);
  });

  it('begins anew because of what befell it between the beginning of a look and its judgement', async () => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);
    const first = watch.look(clock.now(), SETTINGS);
    clock.wallOffsetMs = -60_000;
    await clock.advance(25);

    const second = watch.lookAgain(clock.now(), SETTINGS);

    expect([first, second]).toEqual([undefined, 'the wall clock has jumped by 60000 ms']);
    expect(watch.startedAt).toBe(25);
  });

  it('counts a pause from the beginning of a look to that of the next, however long each takes to judge', async () => {
    const clock = new ManualClock(0);
    const watch = new StallWatch(clock);
    watch.look(clock.now(), SETTINGS);
    await clock.advance(15_000);
    const judged = watch.lookAgain(clock.now(), SETTINGS);
    await clock.advance(15_000);

    const next = watch.look(clock.now(), SETTINGS);

    expect(judged).toBeUndefined();
    expect(next).toBe('the last look was 30000 ms ago, it may be 25000 at most');
  });
});
