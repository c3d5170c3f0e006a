import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { currentBootId, isRunning, untilGone } from './process-mark.ts';
import type { ProcessMark } from './process-mark.ts';

it('knows a process that runs, and none with the same number that began at another time or in another boot', async () => {
  const mark = await markOf(process.pid);

  expect(await isRunning(mark)).toBe(true);
  expect(await isRunning({ ...mark, startTicks: '1' })).toBe(false);
  expect(await isRunning({ ...mark, bootId: 'another' })).toBe(false);
});

it('waits until a process is gone', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const mark = await markOf(child.pid ?? 0);

  child.kill('SIGKILL');
  await untilGone(mark, AbortSignal.timeout(5_000));

  expect(await isRunning(mark)).toBe(false);
});

it('waits no longer than the signal', async () => {
  const mark = await markOf(process.pid);

  await untilGone(mark, AbortSignal.abort());

  expect(await isRunning(mark)).toBe(true);
});

async function markOf(pid: number): Promise<ProcessMark> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, startTicks, bootId: await currentBootId() };
}
