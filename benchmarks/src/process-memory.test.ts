import { expect, it } from 'vitest';
import { parseMemory, readPeakBytes, readProcessMemory } from './process-memory.ts';

it('adds nothing up by itself: the kernel has done so', () => {
  const memory = parseMemory('55d0-7ffe ---p 0 00:00 0 [rollup]\nRss:    2048 kB\nPss:    1024 kB\nPss_Dirty:  3 kB\n');

  expect(memory).toEqual({ residentBytes: 2_097_152, proportionalBytes: 1_048_576 });
});

it('names the line that is missing', () => {
  expect(() => parseMemory('Rss: 1 kB\n')).toThrow('no Pss');
});

it('reads a living process', async () => {
  const memory = await readProcessMemory(process.pid);

  expect(memory.residentBytes).toBeGreaterThan(1024 ** 2);
  expect(memory.proportionalBytes).toBeLessThanOrEqual(memory.residentBytes);
});

it('knows the most that a process has held', async () => {
  const { residentBytes } = await readProcessMemory(process.pid);

  expect(await readPeakBytes(process.pid)).toBeGreaterThanOrEqual(residentBytes * 0.9);
});
