import { once } from 'node:events';
import { mkdtempDisposable, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { askControlSocket, openControlSocket } from './control-socket.ts';

const { signal } = new AbortController();

it('passes a question on and the answer back, for root alone', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-control-'));
  const path = join(place.path, 'control.sock');
  // What a process that was killed left there.
  await writeFile(path, '');
  await using _socket = await openControlSocket(path, { echo: ({ word }) => Promise.resolve({ word: word ?? null }) });

  expect(await askControlSocket(path, { kind: 'echo', word: 'grün\n' }, signal)).toEqual({ word: 'grün\n' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it.each([
  { request: { kind: 'fail' }, says: 'it is too late' },
  { request: { kind: 'unknown' }, says: 'the smalt up that runs does not know this request' },
  { request: {}, says: 'the smalt up that runs does not know this request' },
  { request: { kind: 'fail', word: 'x'.repeat(10_000) }, says: 'the request is too long' },
])('passes on why something is refused: $says', async ({ request, says }) => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-control-'));
  const path = join(place.path, 'control.sock');
  await using _socket = await openControlSocket(path, { fail: () => Promise.reject(new Error('it is too late')) });

  const asked = askControlSocket(path, request, signal);

  await expect(asked).rejects.toMatchObject({ code: 'refused', message: says });
});

it('says where it looked when nobody answers', async () => {
  const asked = askControlSocket('/nowhere/control.sock', { kind: 'open' }, signal);

  await expect(asked).rejects.toMatchObject({
    code: 'not-running',
    message: 'no smalt up answers at /nowhere/control.sock: start it, or name its directory with --data',
  });
});

it('does not wait for who says nothing when it closes', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-control-'));
  const path = join(place.path, 'control.sock');
  const socket = await openControlSocket(path, {});
  const silent = createConnection(path);
  await once(silent, 'connect');

  await socket[Symbol.asyncDispose]();
  await once(silent.resume(), 'close');

  expect(silent.destroyed).toBe(true);
});
