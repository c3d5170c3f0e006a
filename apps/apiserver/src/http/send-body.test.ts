import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { Exchange, type RawRequest, type RawResponse } from './exchange.ts';
import type { PiecewiseBody } from './list-body.ts';
import { sendPieces } from './send-body.ts';

const GZIP = { 'accept-encoding': 'gzip' };

describe.each([
  { size: 'a small body', pieces: 2, headers: GZIP, isPacked: false },
  { size: 'a large body', pieces: 40, headers: {}, isPacked: false },
  { size: 'a large body that may be packed', pieces: 40, headers: GZIP, isPacked: true },
])('$size', ({ pieces, headers, isPacked }) => {
  it.each([true, false])('arrives whole when its length is known: %s', async (isKnown) => {
    await using server = await serve(() => body(pieces, isKnown));

    const answer = await server.get(headers);
    const bytes = await buffer(answer);

    expect(answer.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined);
    expect(expected(pieces).equals(isPacked ? gunzipSync(bytes) : bytes)).toBe(true);
  });
});

it('arrives whole over HTTP/2', async () => {
  const server = createHttp2Server((request, response) => {
    void sendPieces(exchangeOf(request, response), 200, 'application/json', body(40, false));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(`http://127.0.0.1:${portOf(server.address())}`);

  const bytes = await buffer(client.request({ ':path': '/' }));
  client.close();
  server.close();

  expect(expected(40).equals(bytes)).toBe(true);
});

it('has no body when only the head was asked for', async () => {
  await using server = await serve(() => body(40, true));

  const answer = await server.get({}, 'HEAD');

  expect(answer.headers['content-length']).toBe(String(expected(40).length));
  expect(await buffer(answer)).toHaveLength(0);
});

it.each([{}, GZIP])('stops making pieces when the client goes away (%o)', async (headers) => {
  let made = 0;
  const endless = { pieces: () => counted(endlessPieces(), () => made++) };
  await using server = await serve(() => endless);
  const answer = await server.get(headers);
  await once(answer, 'data');

  answer.destroy();
  const reason = await server.failure;

  expect(reason).toMatchObject({ message: 'the answer was given up' });
  expect(made).toBeGreaterThan(1);
});

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function serve(makeBody: () => PiecewiseBody) {
  const failure = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    sendPieces(exchangeOf(request, response), 200, 'application/json', makeBody()).catch(failure.resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    failure: failure.promise,
    get: (headers: Readonly<Record<string, string>>, method = 'GET') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: portOf(server.address()), headers, method, agent: false };
        get(options, resolve).on('error', reject);
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function exchangeOf(request: RawRequest, response: RawResponse): Exchange {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return new Exchange(request, response, 'audit', controller.signal);
}

/** A body whose pieces share their memory, as those of lists do. */
function body(pieces: number, isKnown: boolean): PiecewiseBody {
  const length = expected(pieces).length;
  return { ...(isKnown ? { length } : {}), pieces: () => sharedPieces(pieces) };
}

function* sharedPieces(count: number): Generator<Buffer, void> {
  const memory = Buffer.alloc(PIECE_BYTES);
  for (let index = 0; index < count; index++) yield memory.fill(textOf(index));
}

function* endlessPieces(): Generator<Buffer, void> {
  for (;;) yield* sharedPieces(1);
}

function* counted(pieces: Generator<Buffer, void>, count: () => void): Generator<Buffer, void> {
  for (const piece of pieces) {
    count();
    yield piece;
  }
}

const PIECE_BYTES = 50_000;

function expected(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(PIECE_BYTES, textOf(index))));
}

function textOf(index: number): string {
  return `piece ${index}, `;
}
