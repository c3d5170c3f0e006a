import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acceptWebSocket } from './accept-web-socket.ts';
import { openWebSocket } from './open-web-socket.ts';
import type { WebSocketStream } from './web-socket-stream.ts';

const PROTOCOL = 'plain.kubevirt.io';

let owned: AsyncDisposableStack;

beforeEach(() => {
  owned = new AsyncDisposableStack();
});

afterEach(() => owned.disposeAsync());

describe('a server', () => {
  it('speaks with a client of another make, both ways and to the end', async () => {
    const { url } = await serve(async (stream) => {
      for await (const bytes of stream) await stream.write(Buffer.concat([Buffer.from('echo: '), bytes]));
    });
    const client = new WebSocket(url.replace('http', 'ws'), [PROTOCOL]);
    client.binaryType = 'arraybuffer';
    await once(client, 'open');
    const answered = once(client, 'message');
    client.send(Buffer.from('hello'));
    const [message]: MessageEvent[] = await answered;

    const closed = once(client, 'close');
    client.close(1000, 'bye');
    const [close]: CloseEvent[] = await closed;

    expect(client.protocol).toBe(PROTOCOL);
    expect(Buffer.from(message?.data).toString()).toBe('echo: hello');
    expect([close?.code, close?.wasClean]).toEqual([1000, true]);
  });

  it('speaks in whole texts with a client of another make, however long they are', async () => {
    const { url } = await serve(async (stream) => {
      for await (const text of stream.messages(1_000_000)) await stream.writeText(`echo: ${text}`);
    });
    const client = new WebSocket(url.replace('http', 'ws'), [PROTOCOL]);
    await once(client, 'open');
    const heard: unknown[] = [];
    const all = Promise.withResolvers<void>();
    client.addEventListener('message', ({ data }) => {
      heard.push(data);
      if (heard.length === 3) all.resolve();
    });

    for (const text of ['é', '', 'x'.repeat(200_000)]) client.send(text);
    await all.promise;
    client.close();

    expect(heard).toEqual(['echo: é', 'echo: ', `echo: ${'x'.repeat(200_000)}`]);
  });

  it('ends with who sends a text that is longer than it takes', async () => {
    const { url, failures } = await serve(async (stream) => {
      for await (const text of stream.messages(10)) await stream.writeText(text);
    });
    const client = new WebSocket(url.replace('http', 'ws'), [PROTOCOL]);
    await once(client, 'open');

    const closed = once(client, 'close');
    client.send('x'.repeat(11));
    const [close]: CloseEvent[] = await closed;

    expect([close?.code, close?.reason]).toEqual([1009, 'a message is longer than 10 bytes']);
    await expect.poll(() => failures).toMatchObject([{ code: 'protocol' }]);
  });

  it('tells a client of another make why it ends', async () => {
    const { url } = await serve((stream) => stream.close(1011, `${'é'.repeat(80)} is too much`));
    const client = new WebSocket(url.replace('http', 'ws'), [PROTOCOL]);

    const [close]: CloseEvent[] = await once(client, 'close');

    expect([close?.code, close?.reason]).toEqual([1011, 'é'.repeat(61)]);
  });

  it.each([
    ['another version', { 'sec-websocket-version': '8' }, 'only version 13'],
    ['a key that is none', { 'sec-websocket-key': 'short' }, 'its key is wrong'],
    ['another protocol', { 'sec-websocket-protocol': 'chat' }, 'it speaks none of plain.kubevirt.io'],
    ['another upgrade', { upgrade: 'h2c' }, 'it asks for no WebSocket'],
  ])('refuses %s before it has answered', async (_, headers, why) => {
    const { url, failures } = await serve(async () => undefined);

    const answer = await handshake(new URL(url), headers);

    expect(answer).toBe('');
    expect(String(failures[0])).toContain(why);
  });
});

describe('a client', () => {
  it('carries much both ways without keeping it', async () => {
    const block = Buffer.alloc(300_000, 7);
    const { url } = await serve(async (stream) => {
      for await (const bytes of stream) await stream.write(bytes);
    });
    await using stream = await open(url);
    let got = 0;
    const reading = (async () => {
      for await (const bytes of stream) {
        got += bytes.length;
        if (got === block.length * 20) return;
      }
    })();

    for (let count = 0; count < 20; count += 1) await stream.write(block);
    await reading;

    expect(got).toBe(block.length * 20);
  });

  it('waits while the other side does not read', async () => {
    const server = Promise.withResolvers<WebSocketStream>();
    const { url } = await serve(async (stream) => server.resolve(stream));
    await using stream = await open(url);
    const block = Buffer.alloc(1_000_000);
    const [blocks, most] = [30, { underWay: 0 }];
    let [written, read] = [0, 0];
    const writing = (async () => {
      for (let count = 0; count < blocks; count += 1) {
        await stream.write(block);
        written += block.length;
        most.underWay = Math.max(most.underWay, written - read);
      }
    })();

    for await (const bytes of await server.promise) {
      read += bytes.length;
      if (read === blocks * block.length) break;
    }
    await writing;

    // Less than all: what is under way is in the buffers of two sockets.
    expect(most.underWay).toBeLessThan(15 * block.length);
  });

  it('answers pings of the server while it reads', async () => {
    const ponged = Promise.withResolvers<Buffer>();
    const { server, url } = await listen();
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      acceptWebSocket({ request, socket, head, protocols: [PROTOCOL] });
      socket.on('data', (chunk: Buffer) => ponged.resolve(chunk));
      socket.write(Buffer.from([0x89, 0x02, 0x68, 0x69]));
      owned.defer(() => void socket.destroy());
    });
    const stream = await open(url);
    const reading = (async () => {
      for await (const bytes of stream) throw new Error(`no bytes were sent: ${bytes.length}`);
    })();

    const frame = await ponged.promise;

    expect([frame[0], (frame[1] ?? 0) & 0x7f, unmasked(frame)]).toEqual([0x8a, 2, 'hi']);
    stream.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'connection' });
  });

  it('hears why the server ends', async () => {
    const { url } = await serve((stream) => stream.close(1011, 'the guest is gone'));
    const stream = await open(url);

    await expect(drain(stream)).rejects.toMatchObject({
      code: 'closed',
      closeCode: 1011,
      message: 'the guest is gone',
    });
  });

  it('fails when the connection is lost', async () => {
    const { url } = await serve(async (stream) => stream.destroy());
    const stream = await open(url);

    await expect(drain(stream)).rejects.toMatchObject({ code: 'connection' });
  });

  it('tells what the server answered instead', async () => {
    const { server, url } = await listen();
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 409 Conflict\r\nContent-Length: 18\r\nConnection: close\r\n\r\nVMI is not running');
    });

    await expect(open(url)).rejects.toMatchObject({ code: 'refused', httpStatus: 409, answer: 'VMI is not running' });
  });

  it('gives up when it is told to', async () => {
    const { server, url } = await listen();
    const asked = once(server, 'upgrade');
    const stop = new AbortController();
    const opening = openWebSocket({ url: new URL(url), protocols: [PROTOCOL], signal: stop.signal });
    const [, socket] = await asked;
    owned.defer(() => void socket.destroy());

    stop.abort();

    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
  });

  it('says where there is no way to', async () => {
    await expect(open('http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'connection',
      message: expect.stringContaining('127.0.0.1:1'),
    });
  });
});

async function serve(
  handle: (stream: WebSocketStream) => Promise<void>,
): Promise<{ readonly url: string; readonly failures: unknown[] }> {
  const { server, url } = await listen();
  const failures: unknown[] = [];
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    try {
      const stream = acceptWebSocket({ request, socket, head, protocols: [PROTOCOL] });
      owned.defer(() => stream.destroy());
      handle(stream).catch((error: unknown) => failures.push(error));
    } catch (error) {
      failures.push(error);
      socket.destroy();
    }
  });
  return { url, failures };
}

async function listen(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = owned.use(createServer()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has a port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

async function open(url: string): Promise<WebSocketStream> {
  return await openWebSocket({ url: new URL(url), protocols: [PROTOCOL], signal: AbortSignal.timeout(10_000) });
}

async function drain(stream: WebSocketStream): Promise<void> {
  for await (const bytes of stream) expect(bytes.length).toBeGreaterThan(0);
}

async function handshake(url: URL, changes: Readonly<Record<string, string>>): Promise<string> {
  const headers = {
    host: url.host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    ...changes,
  };
  const socket = connect(Number(url.port), url.hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET / HTTP/1.1\r\n${lines.join('')}\r\n`);
  return Buffer.concat(await socket.toArray()).toString();
}

function unmasked(frame: Buffer): string {
  const mask = frame.subarray(2, 6);
  return Buffer.from(frame.subarray(6).map((byte, index) => byte ^ (mask[index & 3] ?? 0))).toString();
}
