import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { StatusError } from '../errors/status-error.ts';
import { Exchange } from '../http/exchange.ts';
import { CertificateAuthority, makeAuthority } from '../identity/certificate-authority.ts';
import { startStandIn } from './fixtures/https-stand-in.ts';
import { framingHeaders, proxyRequest } from './proxy-request.ts';
import type { TlsTarget } from './tls-target.ts';

const SMUGGLED = 'PUT /apis/zoo/v1/loot HTTP/1.1\r\nHost: x\r\nX-Remote-User: admin\r\nContent-Length: 0\r\n\r\n';
const CHUNKED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
const owned = new AsyncDisposableStack();
let front: number;
/** What the other server has read of requests: HTTP, parsed by the rules of HTTP. */
let seen: { readonly method: string | undefined; readonly body: string; readonly isWhole: boolean }[] = [];
let told = Promise.withResolvers<void>();
let begun = Promise.withResolvers<void>();

beforeAll(async () => {
  const target = await startZoo();
  const server = createServer((request, response) => void passOn(request, response, target));
  owned.defer(() => server.close().closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  front = (server.address() as AddressInfo).port;
});
afterAll(() => owned.disposeAsync());
beforeEach(() => {
  seen = [];
  told = Promise.withResolvers();
  begun = Promise.withResolvers();
});

describe('where a request ends', () => {
  const chunked = { 'transfer-encoding': 'chunked' };

  it.each([
    { method: 'GET', given: {}, isHttp2: false, passed: {} },
    { method: 'GET', given: { 'content-length': '0' }, isHttp2: false, passed: {} },
    { method: 'DELETE', given: {}, isHttp2: false, passed: { 'content-length': '0' } },
    { method: 'DELETE', given: {}, isHttp2: true, passed: chunked },
    { method: 'DELETE', given: chunked, isHttp2: false, passed: chunked },
    { method: 'POST', given: { 'content-length': '7' }, isHttp2: true, passed: { 'content-length': '7' } },
  ])('is told by $passed for $method with $given', ({ method, given, isHttp2, passed }) => {
    expect(framingHeaders(method, given, isHttp2)).toEqual(passed);
  });

  it.each([
    { method: 'GET', given: { 'content-length': '50' } },
    { method: 'HEAD', given: chunked },
    { method: 'POST', given: { ...chunked, 'content-length': '50' } },
    { method: 'POST', given: { 'transfer-encoding': 'gzip, chunked' } },
  ])('is not clear for $method with $given, which is refused', ({ method, given }) => {
    expect(() => framingHeaders(method, given, false)).toThrow(expect.objectContaining({ code: 'BadRequest' }));
  });
});

it('passes the chunked body of a DELETE on as a body', async () => {
  const socket = send('DELETE', ['Transfer-Encoding: chunked'], CHUNKED);

  await told.promise;
  socket.destroy();

  expect(seen).toEqual([{ method: 'DELETE', body: SMUGGLED, isWhole: true }]);
});

it.each([
  { headers: ['Content-Length: 50'], body: '' },
  { headers: ['Transfer-Encoding: chunked'], body: CHUNKED },
])('passes nothing on of a GET with $headers', async ({ headers, body }) => {
  const socket = send('GET', headers, body);

  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();

  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400/);
  expect(seen).toEqual([]);
});

it.each([
  { headers: ['Content-Length: 900'], body: SMUGGLED },
  { headers: ['Transfer-Encoding: chunked'], body: CHUNKED.slice(0, -5) },
])('lets a body that breaks off break off there too: $headers', async ({ headers, body }) => {
  const socket = send('POST', headers, body);
  await begun.promise;

  socket.resetAndDestroy();
  await told.promise;

  expect(seen).toMatchObject([{ method: 'POST', isWhole: false }]);
});

async function startZoo(): Promise<TlsTarget> {
  const now = new Date();
  const authority = new CertificateAuthority(makeAuthority('zoo', now));
  const zoo = await startStandIn({
    names: ['localhost'],
    authority,
    handle: (_request, response) => response.end('{}'),
  });
  owned.use(zoo);
  zoo.server.on('request', take);
  const client = authority.issueClient({ commonName: 'front', organizations: [] }, { now, days: 1 });
  const own = { cert: client.certificate, key: client.key };
  return { host: '127.0.0.1', port: zoo.port, serverName: 'localhost', ca: zoo.ca, isInsecure: false, ...own };
}

function take(request: IncomingMessage): void {
  begun.resolve();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => undefined);
  request.once('close', () => {
    seen.push({ method: request.method, body: Buffer.concat(chunks).toString(), isWhole: request.complete });
    told.resolve();
  });
}

async function passOn(request: IncomingMessage, response: ServerResponse, target: TlsTarget): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const exchange = new Exchange(request, response, 'audit', gone.signal);
  try {
    await proxyRequest(exchange, { path: '/apis/zoo/v1/lions/leo', headers: { host: 'localhost' }, target });
  } catch (error) {
    if (error instanceof StatusError && !response.destroyed) exchange.sendEmpty(error.status.code ?? 500);
  }
}

function send(method: string, headers: readonly string[], body: string): Socket {
  const socket = connect(front, '127.0.0.1');
  socket.write([`${method} /apis/zoo/v1/lions/leo HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n'), 'latin1');
  return socket;
}
