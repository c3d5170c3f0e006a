import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { canConnect } from './can-connect.ts';

it('tells whether somebody listens on a socket', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-connect-'));
  const path = join(directory.path, 'socket');
  const before = await canConnect(path);
  const server = createServer().listen(path);
  await once(server, 'listening');

  const during = await canConnect(path);
  server.close();
  await once(server, 'close');

  expect([before, during, await canConnect(path)]).toEqual([false, true, false]);
});

it('is not taken in by the socket of one who was killed', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-connect-'));
  const path = join(directory.path, 'socket');
  const program = 'require("node:net").createServer().listen(process.argv[1], () => console.log("listening"))';
  const listener = spawn(process.execPath, ['--eval', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(listener.stdout, 'data');
  const ended = once(listener, 'exit');
  listener.kill('SIGKILL');
  await ended;

  expect((await stat(path)).isSocket()).toBe(true);
  expect(await canConnect(path)).toBe(false);
});
