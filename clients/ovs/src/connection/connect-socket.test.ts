import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectSocket } from './connect-socket.ts';
import { ManualClock } from './fixtures/manual-clock.ts';

describe('connectSocket', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smalt-'));
  });

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  it('reaches a socket whose path is longer than the kernel takes', async () => {
    const deep = join(directory, 'a'.repeat(100));
    await mkdir(deep);
    await using _server = await listen('short');
    const path = `${deep}/../short`;

    const socket = await connectSocket({ kind: 'unix', path }, { timeoutMs: 5000 });
    const [greeting] = await once(socket, 'data');
    socket.destroy();

    expect([path.length > 107, String(greeting)]).toEqual([true, 'hello']);
  });

  it.each([
    { what: 'a socket that is not there', name: 'missing', hint: /does not exist.*ENOENT/ },
    { what: 'a file that is no socket', name: 'file', hint: /ECONNREFUSED|ENOTSOCK/ },
  ])('explains $what', async ({ name, hint }) => {
    await writeFile(join(directory, 'file'), '');

    await expect(
      connectSocket({ kind: 'unix', path: join(directory, name) }, { timeoutMs: 5000 }),
    ).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(hint),
    });
  });

  it('explains a port where nothing listens', async () => {
    await expect(connectSocket({ kind: 'tcp', host: '127.0.0.1', port: 1 }, { timeoutMs: 5000 })).rejects.toMatchObject(
      {
        code: 'unreachable',
        message: 'cannot connect to tcp:127.0.0.1:1: nothing listens there; is the daemon running? (ECONNREFUSED)',
      },
    );
  });

  it('asks for the files that ssl: needs', async () => {
    await expect(connectSocket({ kind: 'ssl', host: '127.0.0.1', port: 1 }, { timeoutMs: 5000 })).rejects.toMatchObject(
      {
        code: 'invalid-argument',
        message: expect.stringContaining('options.tls'),
      },
    );
  });

  it('gives up when the handshake is not answered within the deadline', async () => {
    const clock = new ManualClock();
    const accepted = Promise.withResolvers<void>();
    const server = createServer(() => accepted.resolve()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const authorityFile = join(directory, 'file');
    await writeFile(authorityFile, '');

    const opening = connectSocket(
      { kind: 'ssl', host: '127.0.0.1', port },
      { timeoutMs: 100, clock, tls: { authorityFile } },
    );
    const outcome = Promise.allSettled([opening]);
    await accepted.promise;
    clock.advance(100);
    const [result] = await outcome;
    server.close();
    await once(server, 'close');

    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
  });

  it('gives up when the signal fires', async () => {
    const opening = connectSocket(
      { kind: 'unix', path: join(directory, 'x') },
      { timeoutMs: 1000, signal: AbortSignal.abort() },
    );

    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
  });

  async function listen(name: string): Promise<AsyncDisposable> {
    const server = createServer((socket) => socket.end('hello')).listen(join(directory, name));
    await once(server, 'listening');
    return {
      [Symbol.asyncDispose]: async () => {
        server.close();
        await once(server, 'close');
      },
    };
  }
});
