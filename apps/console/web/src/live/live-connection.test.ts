import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';

import { LiveConnection } from './live-connection.ts';
import type { LiveMessage } from './live-message.ts';

it('says what it received, and comes back by itself when it is cut', async () => {
  await using server = await startLiveServer();
  const received: LiveMessage[] = [];
  let opened = 0;
  const connection = connectTo(server.url, {
    onMessages: (messages) => received.push(...messages),
    onOpen: () => (opened += 1),
  });

  connection.start();
  await expect.poll(() => connection.state).toBe('open');
  server.say('[{"kind":"broken","id":1,"message":"soon"}]');
  await expect.poll(() => received).toEqual([{ kind: 'broken', id: 1, message: 'soon' }]);
  server.cut();
  await expect.poll(() => opened).toBe(2);
  connection.close();

  expect(connection.state).toBe('closed');
});

it('stays away once the session has ended', async () => {
  await using server = await startLiveServer();
  const connection = connectTo(server.url, {});

  connection.start();
  await expect.poll(() => connection.state).toBe('open');
  server.closeWith(4401);
  await expect.poll(() => connection.state).toBe('signedOut');

  expect(server.connections()).toBe(1);
});

it('tells its listeners of each change of its state', async () => {
  await using server = await startLiveServer();
  const states: string[] = [];
  const connection = connectTo(server.url, {});
  const stop = connection.subscribe(() => states.push(connection.state));

  connection.start();
  await expect.poll(() => states).toEqual(['open']);
  server.cut();
  await expect.poll(() => states).toEqual(['open', 'lost', 'open']);
  stop();
  connection.close();

  expect(states).toEqual(['open', 'lost', 'open']);
});

it('has the session looked at once for each attempt that was refused, and not because it was cut', async () => {
  await using server = await startLiveServer();
  let [opened, refused] = [0, 0];
  const connection = connectTo(server.url, {
    onOpen: () => (opened += 1),
    onRefused: () => {
      refused += 1;
      if (refused === 3) connection.close();
    },
  });

  connection.start();
  await expect.poll(() => opened).toBe(1);
  server.cut();
  await expect.poll(() => opened).toBe(2);
  const afterCut = refused;
  // Node's WebSocket asks twice by itself after 401; a browser does not.
  server.refuse(403);
  server.cut();
  await expect.poll(() => connection.state).toBe('closed');

  expect([afterCut, refused, server.refusals()]).toEqual([0, 3, 3]);
});

interface Hooks {
  onMessages?: (messages: readonly LiveMessage[]) => void;
  onOpen?: () => void;
  onRefused?: () => void;
}

function connectTo(url: string, hooks: Hooks): LiveConnection {
  return new LiveConnection({
    open: () => new WebSocket(url),
    random: () => 0,
    later: (run) => {
      const timer = setTimeout(run, 1);
      return () => clearTimeout(timer);
    },
    onMessages: hooks.onMessages ?? (() => undefined),
    onOpen: hooks.onOpen ?? (() => undefined),
    onRefused: hooks.onRefused ?? (() => undefined),
  });
}

interface LiveServer extends AsyncDisposable {
  readonly url: string;
  say(text: string): void;
  cut(): void;
  closeWith(code: number): void;
  /** From now on no attempt is let in. */
  refuse(status: number): void;
  connections(): number;
  refusals(): number;
}

/** Speaks just enough of RFC 6455: short frames from the server, and nothing of what the browser says. */
async function startLiveServer(): Promise<LiveServer> {
  const sockets: Duplex[] = [];
  let refusal: number | undefined;
  let refusals = 0;
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    if (refusal !== undefined) {
      refusals += 1;
      socket.end(`HTTP/1.1 ${refusal} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
    socket.on('error', () => socket.destroy());
    socket.resume();
    sockets.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/live`,
    say: (text) => sockets.at(-1)?.write(frame(1, Buffer.from(text))),
    cut: () => sockets.at(-1)?.destroy(),
    closeWith: (code) => sockets.at(-1)?.end(frame(8, Buffer.from([code >> 8, code & 0xff]))),
    refuse: (status) => (refusal = status),
    connections: () => sockets.length,
    refusals: () => refusals,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);
}
