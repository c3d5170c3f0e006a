import { expect, it } from 'vitest';

import { measurePages } from './console-benchmark.ts';

it('measures the list of machines in a browser', { timeout: 180_000 }, async () => {
  const plan = { machines: 30, paints: 1, updatesPerSecond: 20, frameSeconds: 1, starts: 0 };
  const options = { program: 'sources', plan, progress: () => undefined } as const;

  const { files, paints, frames } = await measurePages(options, AbortSignal.timeout(170_000));

  expect(files.map(({ path }) => path)).toContain('/virtual-machines');
  expect(files.every(({ gzipBytes, sentBytes }) => gzipBytes > 0 && sentBytes > 0)).toBe(true);
  expect(paints).toEqual([{ firstContentMs: expect.any(Number), rowsMs: expect.any(Number) }]);
  expect(paints[0]?.rowsMs).toBeGreaterThan(0);
  expect(frames.frames.length).toBeGreaterThan(5);
  expect(frames.updates).toBeGreaterThan(10);
});
