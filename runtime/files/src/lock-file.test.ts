import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { lockFile } from './lock-file.ts';

it('gives a file to one at a time', async () => {
  await using place = await openPlace();
  const first = await place.open();
  await using second = await place.open();

  const before = [await lockFile(first), await lockFile(second)];
  await first.close();

  expect([...before, await lockFile(second)]).toEqual([true, false, true]);
});

it('leaves the lock with whoever inherited it, until that is killed', async () => {
  await using place = await openPlace();
  const first = await place.open();
  await lockFile(first);
  const heir = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', first.fd] });
  await first.close();
  await using second = await place.open();

  const before = await lockFile(second);
  const ended = once(heir, 'exit');
  heir.kill('SIGKILL');
  await ended;

  expect([before, await lockFile(second)]).toEqual([false, true]);
});

it('waits for the lock where that is asked for', async () => {
  await using place = await openPlace();
  const first = await place.open();
  await lockFile(first);
  await using second = await place.open();
  const order: string[] = [];

  const waiting = lockFile(second, { isWaitedFor: true, signal: AbortSignal.timeout(20_000) });
  const noted = waiting.then((isLocked) => order.push(`second: ${isLocked}`));
  await using third = await place.open();
  order.push(`third: ${await lockFile(third)}`);
  await first.close();
  await noted;

  expect(order).toEqual(['third: false', 'second: true']);
});

it('waits no longer than the signal says, and holds nothing then', async () => {
  await using place = await openPlace();
  const first = await place.open();
  await lockFile(first);
  const stop = new AbortController();
  await using second = await place.open();

  const waiting = lockFile(second, { isWaitedFor: true, signal: stop.signal });
  stop.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  await first.close();
  await using third = await place.open();

  expect(await lockFile(third)).toBe(true);
});

it('says what to install where there is no flock', async () => {
  await using place = await openPlace();
  const script = join(import.meta.dirname, 'fixtures/lock-without-program.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, script, place.path]);

  expect(stdout).toBe('The program flock is missing: install the Debian package util-linux');
});

it('says so when the file cannot be locked at all', async () => {
  await using place = await openPlace();
  const file = await place.open();
  await file.close();

  await expect(lockFile(file)).rejects.toMatchObject({ code: 'lock-failed' });
});

interface Place extends AsyncDisposable {
  readonly path: string;
  open(): Promise<FileHandle>;
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtempDisposable(join(tmpdir(), 'smalt-lock-'));
  const path = join(directory.path, 'lock');
  return {
    path,
    open: () => open(path, 'a', 0o600),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}
