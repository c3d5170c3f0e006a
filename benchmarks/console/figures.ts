import { percentile } from '../api/percentile.ts';
import type { Figure } from '../src/benchmark.ts';
import { median } from '../src/sample-summary.ts';
import type { ConsoleResults } from './console-result.ts';

const KILOBYTE = 1_000;
const SECOND_MS = 1_000;
const FULL_MACHINES = 1_000;

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = {
  first_page_kb_gzip: 500,
  first_paint_ms_1000: 1_000,
  frame_p99_ms_at_100_updates: 33,
  up_ready_s: 15,
};

/** What counts. The first paint is when rows stand, not when an empty frame does; a smaller list has no such figures. */
export function consoleFigures({ machines, files, paints, frames, upMs }: ConsoleResults): Record<string, Figure> {
  const isFull = machines === FULL_MACHINES;
  return {
    first_page_kb_gzip: files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / KILOBYTE,
    first_paint_ms_1000: isFull ? median(paints.map(({ rowsMs }) => rowsMs)) : null,
    frame_p99_ms_at_100_updates: isFull ? percentile(frames.frames, 0.99) : null,
    up_ready_s: median(upMs) / SECOND_MS,
  };
}
