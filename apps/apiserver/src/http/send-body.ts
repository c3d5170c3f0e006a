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
  const pieces = body.pieces();
  const start = takeStart(pieces, body.length);
  if (start.isWhole) return exchange.send(code, contentType, start.bytes);
  const isPacked = acceptsGzip(exchange);
  if (isPacked) setGzipHeaders(exchange);
  const length = isPacked || body.length === undefined ? {} : { 'Content-Length': body.length };
  exchange.begin(code, { 'Content-Type': contentType, ...length });
  const { response } = exchange;
  if (exchange.method !== 'HEAD') {
    const sink = isPacked ? createGzip({ level: GZIP_LEVEL }) : response;
    await Promise.all([writeAll(sink, start.bytes, pieces), isPacked ? passOn(sink, response) : undefined]);
  }
  response.end();
}

interface Start {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

// As much as decides how the whole is sent: a small body goes out in one go.
function takeStart(pieces: Iterator<Buffer>, length: number | undefined): Start {
  const taken: Buffer[] = [];
  const enough = Math.min(length ?? Infinity, GZIP_FROM_BYTES);
  for (let bytes = 0; bytes < enough; bytes += taken.at(-1)?.length ?? 0) {
    const next = pieces.next();
    if (next.done === true) return { bytes: Buffer.concat(taken), isWhole: true };
    // A piece lasts until the next one is made.
    taken.push(Buffer.from(next.value));
  }
  return { bytes: Buffer.concat(taken), isWhole: false };
}

async function writeAll(sink: Writable, start: Buffer, rest: Iterator<Buffer>): Promise<void> {
  await write(sink, start);
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    await write(sink, next.value);
    await nextTurn();
  }
}

/** Resolves when the bytes have been taken, so that their memory can be used again. */
function write(sink: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(bytes, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
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
