import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { findProcess, isProcessRunning, parseStartTicks, signalProcess } from './sandbox-process.ts';

it('knows a process, and none that has its number at another time or in another boot', async () => {
  const own = await findProcess(process.pid);
  const mark = own ?? { processId: 0, startTicks: 0 };

  expect(own?.processId).toBe(process.pid);
  expect(await isProcessRunning(mark)).toBe(true);
  expect(await isProcessRunning({ ...mark, startTicks: 1 })).toBe(false);
  expect(await isProcessRunning({ ...mark, bootId: 'another' })).toBe(false);
  expect(await isProcessRunning({ processId: mark.processId, startTicks: mark.startTicks })).toBe(true);
});

it('sends signals to the process that is meant, and to no other', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const mark = (await findProcess(child.pid ?? 0)) ?? { processId: 0, startTicks: 0 };

  expect(await signalProcess({ ...mark, startTicks: 1 }, 'SIGKILL')).toBe(false);
  expect(await signalProcess(mark, 'SIGKILL')).toBe(true);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(await signalProcess(mark, 'SIGKILL')).toBe(false);
  expect(await findProcess(mark.processId)).toBeUndefined();
});

it('does not take a process for one that has ended when there is no file descriptor left to look at it', async () => {
  const script = join(import.meta.dirname, 'fixtures/look-without-files.ts');
  const words = ['-c', 'ulimit -n 64 && exec "$0" "$1"', process.execPath, script];

  const { stdout } = await promisify(execFile)('sh', words);

  expect(stdout).toBe('true EMFILE\n');
});

it('does not take a process for one that has ended where no process is seen at all', async () => {
  const script = join(import.meta.dirname, 'fixtures/look-without-proc.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, script]);

  expect(stdout).toBe('true false not-permitted not-permitted\n');
});

it.each([
  { stat: `5 (a b) c) S ${'0 '.repeat(18)}77 0`, ticks: 77 },
  { stat: `5 (gone) Z ${'0 '.repeat(18)}77 0`, ticks: undefined },
  { stat: '', ticks: undefined },
])('reads $ticks from "$stat"', ({ stat, ticks }) => {
  expect(parseStartTicks(stat)).toBe(ticks);
});
