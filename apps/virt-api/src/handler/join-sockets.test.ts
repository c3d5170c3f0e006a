import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { joinSockets } from './join-sockets.ts';

let owned: AsyncDisposableStack;
let client: Pair;
let guest: Pair;
let stop: AbortController;
let joined: Promise<void>;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  [client, guest] = await Promise.all([openPair(), openPair()]);
  stop = new AbortController();
  joined = joinSockets(client.far, guest.far, stop.signal);
});

afterEach(() => owned.disposeAsync());

it('lets a side that has said all hear the rest', async () => {
  client.near.end('question');
  const asked = await text(guest.near);
  guest.near.end('a long answer');
  const answered = await text(client.near);
  await joined;

  expect([asked, answered]).toEqual(['question', 'a long answer']);
});

it('delivers what a side said before it closed', async () => {
  const much = 'x'.repeat(2_000_000);
  guest.near.end(much);

  const heard = await text(client.near);
  client.near.end();
  await joined;

  expect(heard).toHaveLength(much.length);
});

it('breaks both when one breaks', async () => {
  const gone = once(client.near.resume(), 'end');

  guest.near.resetAndDestroy();
  await joined;

  await gone;
  expect(client.far.destroyed).toBe(true);
});

it('breaks both when it is told to stop', async () => {
  stop.abort();
  await joined;

  expect([client.far.destroyed, guest.far.destroyed]).toEqual([true, true]);
});

it('is over at once where a side is gone already', async () => {
  const other = await openPair();
  other.far.destroy();
  await once(other.far, 'close');

  await joinSockets(other.far, (await openPair()).far, AbortSignal.abort());

  expect(other.far.destroyed).toBe(true);
});

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Two ends of one connection. */
async function openPair(): Promise<Pair> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const near = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [far]: Socket[] = await once(server, 'connection');
  server.close();
  if (far === undefined) throw new Error('nobody came');
  owned.defer(() => void [near, far].map((socket) => socket.destroy()));
  return { near, far };
}
