import { describe, expect, it } from 'vitest';

import { KdumpWindows } from './kdump-windows.ts';

const SETTINGS = { windowMs: 60, maximumMs: 600 };

describe('KdumpWindows', () => {
  it('are extended by each message, up to the maximum in all', () => {
    const windows = new KdumpWindows();
    const until = [1_000, 1_050, 1_500, 1_580, 1_700].map((now) => {
      windows.hear('n1', now, SETTINGS);
      return windows.untilOf('n1');
    });

    expect(until).toEqual([1_060, 1_110, 1_560, 1_600, 1_600]);
    expect(windows.untilOf('n2')).toBeUndefined();
  });

  it('begin anew only when the last row has been over for as long as it may last', () => {
    const windows = new KdumpWindows();
    windows.hear('n1', 1_000, SETTINGS);

    windows.hear('n1', 1_660, SETTINGS);
    const early = windows.untilOf('n1');
    windows.hear('n1', 2_300, SETTINGS);

    expect(early).toBe(1_600);
    expect(windows.untilOf('n1')).toBe(2_360);
  });

  it('never get shorter when the settings do, and are forgotten when they are over for good', () => {
    const windows = new KdumpWindows();
    windows.hear('n1', 1_000, SETTINGS);

    windows.hear('n1', 1_001, { windowMs: 1, maximumMs: 600 });
    const kept = windows.untilOf('n1');
    windows.forget(1_661, SETTINGS);

    expect(kept).toBe(1_060);
    expect(windows.untilOf('n1')).toBeUndefined();
  });
});
