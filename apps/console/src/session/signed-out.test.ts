import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { ConsoleClock } from '../console-clock.ts';
import { SignedOut } from './signed-out.ts';

it('survives a restart, until the session would have ended by itself', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-signed-out-'));
  const path = join(directory.path, 'console/signed-out');

  const before = await SignedOut.open(path, clockAt(1_000));
  await before.add('early', 2_000);
  await before.add('late', 9_000);
  const after = await SignedOut.open(path, clockAt(3_000));

  expect(['early', 'late', 'other'].map((id) => after.has(id))).toEqual([false, true, false]);
  expect(await readFile(path, 'utf8')).toBe('late 9000\n');
  expect((await stat(path)).mode % 0o1000).toBe(0o600);
});

it('leaves out what is no line of it, and what a killed process left half written', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-signed-out-'));
  const path = join(directory.path, 'signed-out');
  await writeFile(path, 'good 9000\nnonsense\n../.. 9000\nhalf 90');

  const ended = await SignedOut.open(path, clockAt(1_000));

  expect(['good', 'nonsense', 'half'].map((id) => ended.has(id))).toEqual([true, false, false]);
});

it('names the setting when the file cannot be used', async () => {
  await expect(SignedOut.open('/dev/null/signed-out', clockAt(0))).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringMatching(/^signedOutFile: \/dev\/null\/signed-out cannot be used/),
  });
});

function clockAt(now: number): ConsoleClock {
  return { now: () => now, wait: () => Promise.resolve() };
}
