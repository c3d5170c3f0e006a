import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { LiveConnection } from './live-connection.ts';
import type { LiveMessage } from './live-message.ts';

const SILENCE_MS = 60_000;

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

describe('a connection on which nothing is heard any more', () => {
  it('is lost after a minute, and made anew', async () => {
    await using server = await startLiveServer();
    const timers = new Timers();
    const states: string[] = [];
    const connection = connectTo(server.url, {}, timers);
    connection.subscribe(() => states.push(connection.state));

    connection.start();
    await expect.poll(() => connection.state).toBe('open');
    timers.pass(SILENCE_MS - 1);
    const before = [...states];
    timers.pass(1);
    timers.pass(1_000);
    await expect.poll(() => connection.state).toBe('open');
    connection.close();

    expect(before).toEqual(['open']);
    expect([states, server.connections()]).toEqual([['open', 'lost', 'open', 'closed'], 2]);
    expect(timers.count()).toBe(0);
  });

  it('is not one on which empty messages come', async () => {
    await using server = await startLiveServer();
    const timers = new Timers();
    let frames = 0;
    const connection = connectTo(server.url, { onMessages: () => (frames += 1) }, timers);

    connection.start();
    await expect.poll(() => connection.state).toBe('open');
    for (let beat = 1; beat <= 4; beat += 1) {
      timers.pass(25_000);
      server.say('[]');
      await expect.poll(() => frames).toBe(beat);
    }
    const after = connection.state;
    connection.close();

    expect([after, server.connections()]).toEqual(['open', 1]);
  });

  it('is given up as well when it was never opened', async () => {
    await using server = await startLiveServer();
    server.hold();
    const timers = new Timers();
    let refused = 0;
    const connection = connectTo(server.url, { onRefused: () => (refused += 1) }, timers);

    connection.start();
    timers.pass(SILENCE_MS);
    const after = connection.state;
    connection.close();

    expect([after, refused]).toEqual(['lost', 1]);
  });

  it('is found out at once after a sleep, in which timers stand still', async () => {
    await using server = await startLiveServer();
    const timers = new Timers();
    const connection = connectTo(server.url, {}, timers);
    connection.start();
    await expect.poll(() => connection.state).toBe('open');

    timers.sleep(SILENCE_MS - 1);
    connection.wake();
    const before = connection.state;
    timers.sleep(1);
    connection.wake();
    const after = connection.state;
    await expect.poll(() => connection.state).toBe('open');
    connection.close();

    expect([before, after, server.connections()]).toEqual(['open', 'lost', 2]);
  });
});

/** Time that goes by when a test wants it. */
class Timers {
  now = 0;
  readonly #dueByRun = new Map<() => void, number>();

  readonly later = (run: () => void, delayMs: number): (() => void) => {
    this.#dueByRun.set(run, this.now + delayMs);
    return () => this.#dueByRun.delete(run);
  };

  count(): number {
    return this.#dueByRun.size;
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    const due = [...this.#dueByRun].filter(([, at]) => at <= this.now);
    for (const [run] of due) this.#dueByRun.delete(run);
    for (const [run] of due) run();
  }

  sleep(milliseconds: number): void {
    this.now += milliseconds;
    for (const [run, at] of this.#dueByRun) this.#dueByRun.set(run, at + milliseconds);
  }
}

interface Hooks {
  onMessages?: (messages: readonly LiveMessage[]) => void;
  onOpen?: () => void;
  onRefused?: () => void;
}

function connectTo(url: string, hooks: Hooks, timers?: Timers): LiveConnection {
  return new LiveConnection({
    open: () => new WebSocket(url),
    random: () => 0,
    now: () => timers?.now ?? 0,
    later: timers?.later ?? soon,
    onMessages: hooks.onMessages ?? (() => undefined),
    onOpen: hooks.onOpen ?? (() => undefined),
    onRefused: hooks.onRefused ?? (() => undefined),
  });
}

/** The next attempt comes at once; that nothing is heard takes as long as it does. */
function soon(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs < SILENCE_MS ? 1 : delayMs);
  return () => clearTimeout(timer);
}

interface LiveServer extends AsyncDisposable {
  readonly url: string;
  say(text: string): void;
  cut(): void;
  closeWith(code: number): void;
  /** From now on no attempt is let in. */
  refuse(status: number): void;
  /** From now on no attempt is answered. */
  hold(): void;
  connections(): number;
  refusals(): number;
}

/** Speaks just enough of RFC 6455: short frames from the server, and nothing of what the browser says. */
async function startLiveServer(): Promise<LiveServer> {
  const sockets: Duplex[] = [];
  let refusal: number | undefined;
  let isHeld = false;
  let refusals = 0;
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    if (refusal !== undefined) {
      refusals += 1;
      socket.end(`HTTP/1.1 ${refusal} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    if (isHeld) return void sockets.push(socket);
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
    hold: () => (isHeld = true),
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
