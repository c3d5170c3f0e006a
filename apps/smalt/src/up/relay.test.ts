import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { openRelay } from './relay.ts';

it('passes bytes on both ways, and lets go of both ends when one goes or it closes', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = await freePort();
  const relay = await openRelay({ listen: { host: '127.0.0.1', port: near }, port: portOf(server.address()) });

  const first = connect({ host: '127.0.0.1', port: near, allowHalfOpen: true });
  first.end('there and back');
  const echoed = await text(first);
  const second = connect(near, '127.0.0.1');
  await once(second, 'connect');
  await relay[Symbol.asyncDispose]();
  await once(second.resume(), 'close');
  await new Promise((resolve) => server.close(resolve));

  expect(echoed).toBe('there and back');
});

it('ends a connection where nobody listens at the other end', async () => {
  const [near, nobody] = [await freePort(), await freePort()];
  await using _relay = await openRelay({ listen: { host: '127.0.0.1', port: near }, port: nobody });

  const socket = connect(near, '127.0.0.1');

  expect(await text(socket).catch(() => '')).toBe('');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
