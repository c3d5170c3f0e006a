import { once } from 'node:events';
import { chown, mkdir, mkdtempDisposable, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { openGuestSocket } from './open-guest-socket.ts';

/** An account that is not that of the test. */
const GUEST = 64_055;

let stack: AsyncDisposableStack;
let root: string;
let sockets: string;
let path: string;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  root = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-guest-socket-'))).path;
  sockets = join(root, 'sockets');
  path = join(sockets, 'vnc');
  await mkdir(sockets);
  await chown(sockets, GUEST, GUEST);
});

afterEach(() => stack.disposeAsync());

it('is connected to where the guest made it, also where its path is long', async () => {
  await listen(path);
  await chown(path, GUEST, GUEST);
  const long = join(root, 'a'.repeat(120));
  await rename(sockets, long);

  await using link = await open(join(long, 'vnc'));

  expect(await firstOf(link.incoming)).toBe('hello');
});

it('is not sought behind a link that took its place', async () => {
  const server = await listen(join(root, 'libvirt-sock'));
  await symlink(join(root, 'libvirt-sock'), path);

  await expect(open(path)).rejects.toMatchObject({
    code: 'guest-failed',
    message: expect.stringContaining('no socket'),
  });

  expect(server.accepted).toBe(0);
});

it('is not sought in a directory that a link leads to', async () => {
  const server = await listen(join(root, 'libvirt-sock'));
  await symlink(root, join(root, 'link'));

  await expect(open(join(root, 'link/libvirt-sock'))).rejects.toMatchObject({ code: 'unavailable' });

  expect(server.accepted).toBe(0);
});

it('is refused when it belongs to somebody else', async () => {
  const server = await listen(path);

  await expect(open(path)).rejects.toMatchObject({
    code: 'guest-failed',
    message: expect.stringContaining(`user 0, but ${sockets} to user ${GUEST}`),
  });

  expect(server.accepted).toBe(0);
});

it('is refused when it is a file', async () => {
  await writeFile(path, '');
  await chown(path, GUEST, GUEST);

  await expect(open(path)).rejects.toMatchObject({
    code: 'guest-failed',
    message: expect.stringContaining('no socket'),
  });
});

it('is unavailable when it is not there, or nobody listens', async () => {
  await expect(open(path)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^the display of the guest cannot be reached: ENOENT/u),
  });
  const { server } = await listen(join(sockets, 'serial'));
  // What is left of a process that was killed: closed, the server would remove its path.
  await rename(join(sockets, 'serial'), path);
  await chown(path, GUEST, GUEST);
  server.close();
  await once(server, 'close');

  await expect(open(path)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

function open(at: string): ReturnType<typeof openGuestSocket> {
  return openGuestSocket(at, 'the display of the guest', AbortSignal.timeout(5_000));
}

interface Listening {
  readonly server: Server;
  readonly accepted: number;
}

async function listen(at: string): Promise<Listening> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => undefined).end('hello');
  });
  stack.defer(() => void server.close());
  server.listen(at);
  await once(server, 'listening');
  return {
    server,
    get accepted() {
      return accepted;
    },
  };
}

async function firstOf(incoming: AsyncIterable<Uint8Array | string>): Promise<string | undefined> {
  for await (const bytes of incoming) return Buffer.from(bytes).toString();
  return undefined;
}
