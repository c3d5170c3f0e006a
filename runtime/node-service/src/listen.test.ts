import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { makeSelfSigned } from '@smalt/x509';
import { describe, expect, it } from 'vitest';

import { listenTls, parseListen, urlOf } from './listen.ts';

const { certificate: cert, key } = makeSelfSigned({
  commonName: 'n1',
  names: ['127.0.0.1'],
  now: new Date(),
  days: 1,
});
const LIMITS = { mostConnections: 10, setting: 'troubleshoot' };
const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n';
/** Less than the server gives a handshake, or the head of a request. */
const SOON = { timeout: 5_000 };

describe('a listener that is disposed of', () => {
  it.each([
    ['has connected and does not shake hands', (port: number) => plain(port)],
    ['has shaken hands and asks nothing', (port: number) => secure(port, '')],
    ['sends a request in part', (port: number) => secure(port, HEAD)],
    [
      'sends the head of a request and not its body',
      (port: number) => secure(port, `${HEAD}Content-Length: 9\r\n\r\n`),
    ],
    ['asks, and reads nothing of a long answer', (port: number) => secure(port, `${HEAD}\r\n`)],
  ])('does not wait for a caller who %s', SOON, async (_, call) => {
    const listening = await listen();
    const accepted = once(listening.server, 'connection');
    const socket = await call(listening.port);
    await accepted;
    const gone = once(socket, 'close');

    await listening[Symbol.asyncDispose]();

    socket.resume();
    await gone;
    expect(listening.server.listening).toBe(false);
  });

  it('does not wait for connections that are kept for the next request', SOON, async () => {
    const listening = await listen('short');
    const socket = await secure(listening.port, `${HEAD}\r\n`);
    await once(socket, 'data');
    const gone = once(socket, 'close');

    await listening[Symbol.asyncDispose]();

    socket.resume();
    await gone;
    expect(listening.server.listening).toBe(false);
  });

  it('answers who keeps a connection once more, and says that it is the last time', SOON, async () => {
    const listening = await listen('short', { farewellMs: 60_000 });
    const socket = await secure(listening.port, `${HEAD}\r\n`);
    await once(socket, 'data');

    const over = listening[Symbol.asyncDispose]();
    socket.write(`${HEAD}\r\n`);
    const answer = Buffer.concat(await socket.toArray()).toString();

    await over;
    expect(answer).toMatch(/^HTTP\/1[.]1 200 OK\r\n(.+\r\n)*Connection: close\r\n(.+\r\n)*\r\nshort$/v);
  });

  it('waits no longer than it was told for one who keeps a connection and asks nothing', SOON, async () => {
    const listening = await listen('short', { farewellMs: 100 });
    const socket = await secure(listening.port, `${HEAD}\r\n`);
    await once(socket, 'data');
    const gone = once(socket.resume(), 'close');

    await listening[Symbol.asyncDispose]();

    await gone;
    expect(listening.server.listening).toBe(false);
  });

  it('lets an answer that is under way be read', SOON, async () => {
    const listening = await listen('x'.repeat(300_000));
    const sent = request({ host: '127.0.0.1', port: listening.port, ca: cert, agent: false }).end();
    const [answer]: IncomingMessage[] = await once(sent, 'response');

    const [chunks] = await Promise.all([answer?.toArray(), listening[Symbol.asyncDispose]()]);

    expect(Buffer.concat(chunks ?? [])).toHaveLength(300_000);
  });
});

it('takes a large request while the answer to the one before it is still on its way', async () => {
  const text = 'x'.repeat(500_000);
  await using listening = await listenTls({ cert, key }, { host: '127.0.0.1', port: 0 }, LIMITS);
  listening.server.on('request', (asked, answer) => asked.resume().once('end', () => answer.end(text)));
  const socket = await secure(listening.port, '');

  // Nobody reads yet, so what is answered first fills up.
  socket.pause();
  socket.write(`${HEAD}\r\n`);
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  const answers = Buffer.concat(await socket.toArray()).toString();

  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});

it('says which setting is wrong where the address is taken', async () => {
  await using listening = await listen();
  const { port } = listening;

  await expect(listenTls({ cert, key }, { host: '127.0.0.1', port }, LIMITS)).rejects.toMatchObject({
    code: 'cannot-listen',
    message: expect.stringMatching(/^troubleshoot\.listen: 127\.0\.0\.1:\d+ cannot be listened on .*EADDRINUSE/),
  });
});

it('keeps a connection for as long as it is told, and says so', async () => {
  await using listening = await listen('short', { idleMs: 120_000 });

  const socket = await secure(listening.port, `${HEAD}\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();

  expect(String(answer)).toMatch(/^keep-alive: timeout=120\r$/im);
});

describe('parseListen', () => {
  it.each([
    ['0.0.0.0:9443', { host: '0.0.0.0', port: 9_443 }, 'https://0.0.0.0:9443'],
    ['[::1]:1', { host: '::1', port: 1 }, 'https://[::1]:1'],
    [':9443', { host: '::', port: 9_443 }, 'https://[::]:9443'],
    ['::1:9443', { host: '::1', port: 9_443 }, 'https://[::1]:9443'],
    ['fd00::1:8186', { host: 'fd00::1', port: 8_186 }, 'https://[fd00::1]:8186'],
    ['n1.example:0', { host: 'n1.example', port: 0 }, 'https://n1.example:0'],
  ])('reads %s', (text, address, url) => {
    expect(parseListen(text, 'troubleshoot')).toEqual(address);
    expect(urlOf(address.host, address.port)).toBe(url);
  });

  it.each([
    '',
    '9443',
    '1.2.3.4',
    '1.2.3.4:',
    '1.2.3.4:65536',
    '::1',
    'fd00::1',
    '1:2:3:4:5:6:7:8',
    'fd00::1:',
    'a:1:2',
    '[a]:x',
  ])('refuses %j', (text) => {
    expect(() => parseListen(text, 'troubleshoot')).toThrow(
      /^troubleshoot\.listen: .* is no address: give an address and a port/,
    );
  });
});

/** A server that answers every request with this text, or with more than the buffers of a connection hold. */
async function listen(text = 'x'.repeat(50_000_000), limits: object = {}): ReturnType<typeof listenTls> {
  const listening = await listenTls({ cert, key }, { host: '127.0.0.1', port: 0 }, { ...LIMITS, ...limits });
  listening.server.on('request', (_asked, answer) => answer.end(text));
  return listening;
}

async function plain(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function secure(port: number, text: string): Promise<Socket> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: cert }).on('error', () => undefined);
  await once(socket, 'secureConnect');
  if (text !== '') socket.write(text);
  return socket;
}
