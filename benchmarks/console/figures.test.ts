import { describe, expect, it } from 'vitest';

import type { ConsoleResults } from './console-result.ts';
import { consoleFigures } from './figures.ts';
import { consoleTables } from './tables.ts';

describe('consoleFigures', () => {
  it('has all of them after a full run, of the medians', () => {
    expect(consoleFigures(results(1_000))).toEqual({
      first_page_kb_gzip: 300,
      first_paint_ms_1000: 500,
      frame_p99_ms_at_100_updates: 40,
      up_ready_s: 8,
    });
  });

  it('has none of 1,000 machines where there were fewer', () => {
    expect(consoleFigures(results(200))).toMatchObject({
      first_page_kb_gzip: 300,
      first_paint_ms_1000: null,
      frame_p99_ms_at_100_updates: null,
      up_ready_s: 8,
    });
  });
});

describe('consoleTables', () => {
  it('shows what came over the wire beside what gzip makes of it', () => {
    const [files] = consoleTables(results(1_000));

    expect(files?.rows.at(-1)).toEqual(['all', '300.0 kB', '250.0 kB']);
  });
});

function results(machines: number): ConsoleResults {
  return {
    machines,
    files: [
      { path: '/virtual-machines', gzipBytes: 1_000, sentBytes: 1_000 },
      { path: '/assets/main.js', gzipBytes: 299_000, sentBytes: 249_000 },
    ],
    paints: [400, 500, 900].map((rowsMs) => ({ firstContentMs: rowsMs / 2, rowsMs })),
    frames: { frames: [...Array.from({ length: 99 }, () => 16), 40], updates: 1_100, seconds: 11 },
    upMs: [7_000, 8_000, 12_000],
  };
}
