import { expect, it } from 'vitest';
import { readMainThreadCpu, readProcessCpu } from './process-cpu.ts';

it('counts the time that a process works, and not the time that it waits', async () => {
  const start = await readProcessCpu(process.pid);
  const until = performance.now() + 50;
  while (performance.now() < until) JSON.stringify(start);
  const worked = (await readProcessCpu(process.pid)) - start;

  expect(worked).toBeGreaterThan(0.01);
  expect(worked).toBeLessThan(2);
});

it('counts the first thread as a part of all', async () => {
  const first = await readMainThreadCpu(process.pid);
  const all = await readProcessCpu(process.pid);

  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(all);
});
