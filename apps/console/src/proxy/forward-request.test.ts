import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ConsoleServer } from '../console-options.ts';
import { startConsoleBed, type ConsoleBed } from '../fixtures/console-bed.ts';

const PATH = '/api/v1/namespaces/default/configmaps/one';
const STREAM = '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/b/console';
const LOGS = '/apis/subresources.kubevirt.io/v1/nodes/one/logs';
/** What an attacker would have the server behind take for a request: all that comes next would be its body. */
const SMUGGLED =
  'PUT /api/v1/namespaces/mine/configmaps/loot HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\nstolen: ';
const CHUNKED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;

interface Seen {
  readonly method: string | undefined;
  readonly user: string;
  readonly body: string;
  readonly isWhole: boolean;
  readonly connection: number;
}

/** Where a request goes, and as whom. */
interface Place {
  readonly path?: string;
  readonly cookie?: string;
}

const owned = new AsyncDisposableStack();
let bed: ConsoleBed;
let behind: Server;
let console: ConsoleServer;
let attacker: string;
let victim: string;
let seen: Seen[] = [];
let connections: Socket[] = [];

beforeAll(async () => {
  bed = owned.use(await startConsoleBed());
  const { adminToken } = bed;
  const users = new Map([[`Bearer ${adminToken}`, 'victim']]);
  behind = createServer((request, response) => {
    if (request.url === LOGS) return response.flushHeaders();
    const user = users.get(request.headers.authorization ?? '') ?? 'attacker';
    void take(request, user).then(() => response.end('{}'));
  });
  behind.on('connection', (socket: Socket) => connections.push(socket));
  owned.defer(() => void behind.close());
  behind.listen(0, '127.0.0.1');
  await once(behind, 'listening');
  const { port } = behind.address() as AddressInfo;
  attacker = await bed.signIn(await bed.token('mallory', 'view'));
  victim = await bed.signIn(adminToken);
  const apiServer = { ...bed.config, server: `http://127.0.0.1:${port}` };
  console = await bed.again({ apiServer, limits: { mostStreamsOfUser: 2 } });
});
afterAll(async () => {
  behind.closeAllConnections();
  await owned.disposeAsync();
});
beforeEach(async () => {
  for (const socket of connections) socket.destroy();
  await Promise.all(connections.map(closed));
  connections = [];
  await bed.raw('GET', PATH, { cookie: victim }, console.port);
  seen = [];
});

describe('two users on one connection to the server behind', () => {
  it('stay two: a chunked body of DELETE is a body', async () => {
    const answer = await speak('DELETE', ['Transfer-Encoding: chunked'], CHUNKED);
    await bed.raw('GET', PATH, { cookie: victim }, console.port);

    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(seen).toEqual([
      { method: 'DELETE', user: 'attacker', body: SMUGGLED, isWhole: true, connection: 0 },
      { method: 'GET', user: 'victim', body: '', isWhole: true, connection: 0 },
    ]);
  });

  it.each([
    { what: 'GET with a length', method: 'GET', headers: ['Content-Length: 50'], body: '' },
    { what: 'GET with a body', method: 'GET', headers: [`Content-Length: ${SMUGGLED.length}`], body: SMUGGLED },
    { what: 'GET in chunks', method: 'GET', headers: ['Transfer-Encoding: chunked'], body: CHUNKED },
    { what: 'HEAD with a length', method: 'HEAD', headers: ['Content-Length: 50'], body: '' },
    {
      what: 'a body with both lengths',
      method: 'POST',
      headers: ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      body: CHUNKED,
    },
    { what: 'two lengths', method: 'POST', headers: ['Content-Length: 4', 'Content-Length: 99'], body: SMUGGLED },
    { what: 'another coding', method: 'POST', headers: ['Transfer-Encoding: gzip, chunked'], body: CHUNKED },
  ])('stay two: $what is refused, and nothing of it passed on', async ({ method, headers, body }) => {
    const answer = await speak(method, headers, body);
    await bed.raw('GET', PATH, { cookie: victim }, console.port);

    expect(answer.match(/^HTTP\/1\.1 \d+/gm)?.[0]).toBe('HTTP/1.1 400');
    expect(seen).toEqual([{ method: 'GET', user: 'victim', body: '', isWhole: true, connection: 0 }]);
  });

  it.each([
    { what: 'is shorter than its length', headers: ['Content-Length: 900'], body: SMUGGLED, isReset: false },
    { what: 'breaks off', headers: ['Content-Length: 900'], body: SMUGGLED, isReset: true },
    {
      what: 'breaks off in chunks',
      headers: ['Transfer-Encoding: chunked'],
      body: CHUNKED.slice(0, -5),
      isReset: true,
    },
  ])('stay two: a body that $what is the end of that connection', async ({ headers, body, isReset }) => {
    const over = Promise.all(connections.map(closed));
    const begun = once(behind, 'request');
    const socket = send('POST', headers, body);
    await begun;

    if (isReset) socket.resetAndDestroy();
    else socket.end();
    await over;
    await bed.raw('GET', PATH, { cookie: victim }, console.port);

    expect(seen).toMatchObject([
      { method: 'POST', user: 'attacker', isWhole: false, connection: 0 },
      { method: 'GET', user: 'victim', body: '', isWhole: true, connection: 1 },
    ]);
  });
});

describe('a request for a WebSocket', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';

  it.each([
    { what: 'a length', method: 'GET', headers: ['Content-Length: 50'], status: 400 },
    { what: 'chunks', method: 'GET', headers: ['Transfer-Encoding: chunked'], status: 400 },
    { what: 'another method', method: 'POST', headers: ['Content-Length: 50'], status: 405 },
  ])('with $what is refused, and nothing of it passed on', async ({ method, headers, status }) => {
    const answer = await speak(method, [...upgrade, key, ...headers], SMUGGLED, STREAM);

    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
    expect(seen).toEqual([]);
  });

  it('that is not agreed to passes nothing on of what was sent behind it', async () => {
    const answer = await speak('GET', [...upgrade, key], SMUGGLED, STREAM);

    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
    expect(seen).toMatchObject([{ method: 'GET', user: 'attacker', body: '', connection: 1 }]);
  });
});

it('lets one user listen to so many logs at a time, and leaves places for others', async () => {
  const again = await bed.signIn(bed.adminToken);

  const codes: string[] = [];
  const listeners: Socket[] = [];
  for (const cookie of [victim, again, victim, attacker]) {
    const listener = send('GET', [], '', { path: LOGS, cookie });
    listeners.push(listener);
    const [head] = (await once(listener, 'data')) as [Buffer];
    codes.push(head.toString().slice(9, 12));
  }
  for (const listener of listeners) listener.destroy();

  expect(codes).toEqual(['200', '200', '429', '200']);
});

async function take(request: IncomingMessage, user: string): Promise<void> {
  const connection = connections.indexOf(request.socket);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(request);
  const body = Buffer.concat(chunks).toString();
  seen.push({ method: request.method, user, body, isWhole: request.complete, connection });
}

/** Waits for the end, of whichever kind: one that breaks off has an error before it. */
async function closed(stream: Readable): Promise<void> {
  if (stream.closed) return;
  const over = Promise.withResolvers<void>();
  stream.on('error', () => undefined).once('close', over.resolve);
  await over.promise;
}

function send(method: string, headers: readonly string[], body: string, place: Place = {}): Socket {
  const { path = PATH, cookie = attacker } = place;
  const own = [`Host: 127.0.0.1:${console.port}`, `Origin: ${console.url}`, 'X-Smalt-Console: 1'];
  const socket = connect(console.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    [`${method} ${path} HTTP/1.1`, ...own, `Cookie: ${cookie}`, ...headers, '', body].join('\r\n'),
    'latin1',
  );
  return socket;
}

/** The first answer, and what else comes in the same breath. */
async function speak(method: string, headers: readonly string[], body: string, path = PATH): Promise<string> {
  const socket = send(method, headers, body, { path });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'data');
  socket.end();
  await closed(socket);
  return Buffer.concat(chunks).toString('latin1');
}
