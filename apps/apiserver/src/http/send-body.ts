import { once } from 'node:events';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

import type { Exchange } from './exchange.ts';
import type { PiecewiseBody } from './list-body.ts';

const GZIP_FROM_BYTES = 128 * 1024;
// Packs JSON to a twentieth already; more costs time and saves little.
const GZIP_LEVEL = 1;
const gzipAsync = promisify(gzip);

/** Sends an answer, packed when it is large and the client can unpack it. */
export async function sendBody(exchange: Exchange, code: number, contentType: string, body: Buffer): Promise<void> {
  if (body.length > GZIP_FROM_BYTES && acceptsGzip(exchange)) {
    const packed = await gzipAsync(body, { level: GZIP_LEVEL });
    setGzipHeaders(exchange);
    exchange.send(code, contentType, packed);
    return;
  }
  exchange.send(code, contentType, body);
}

/**
 * Sends a body piece by piece: the next one is made when the client has taken the last, and other requests have their
 * turn in between. Packed like any other answer.
 */
export async function sendPieces(
  exchange: Exchange,
  code: number,
  contentType: string,
  body: PiecewiseBody,
): Promise<void> {
  const pieces = body.pieces()[Symbol.iterator]();
  const { first, isWhole } = takeFirst(pieces);
  if (isWhole) return exchange.send(code, contentType, first);
  const isPacked = acceptsGzip(exchange);
  if (isPacked) setGzipHeaders(exchange);
  const length = isPacked || body.length === undefined ? {} : { 'Content-Length': body.length };
  exchange.begin(code, { 'Content-Type': contentType, ...length });
  const { response, signal } = exchange;
  if (exchange.method !== 'HEAD') {
    const all = inTurns(first, pieces);
    for await (const piece of isPacked ? packed(all) : all) {
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
  }
  response.end();
}

// As much as decides how the whole is sent: a small body goes out in one go.
function takeFirst(pieces: Iterator<Buffer>): { readonly first: Buffer; readonly isWhole: boolean } {
  const taken: Buffer[] = [];
  for (let bytes = 0; bytes <= GZIP_FROM_BYTES; bytes += taken.at(-1)?.length ?? 0) {
    const next = pieces.next();
    if (next.done === true) return { first: joined(taken), isWhole: true };
    taken.push(next.value);
  }
  return { first: joined(taken), isWhole: false };
}

function joined(buffers: readonly Buffer[]): Buffer {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

async function* inTurns(first: Buffer, rest: Iterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    yield next.value;
    await nextTurn();
  }
}

function packed(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packer = createGzip({ level: GZIP_LEVEL });
  // What goes wrong comes out where the packed bytes are read.
  pipeline(pieces, packer, () => undefined);
  return packer;
}

function setGzipHeaders(exchange: Exchange): void {
  exchange.setHeader('Content-Encoding', 'gzip');
  exchange.setHeader('Vary', 'Accept-Encoding');
}

/** Whether the client can unpack gzip. */
export function acceptsGzip(exchange: Exchange): boolean {
  const accepted = exchange.header('accept-encoding');
  return accepted !== undefined && accepted.split(',').some((part) => part.trim().split(';')[0] === 'gzip');
}
