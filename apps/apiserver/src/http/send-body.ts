import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

import { pack } from './pack.ts';
import type { Exchange } from './exchange.ts';
import type { PiecewiseBody } from './list-body.ts';

const GZIP_FROM_BYTES = 128 * 1024;
// Packs JSON to a twentieth already; more costs time and saves little.
const GZIP_LEVEL = 1;

/** Sends an answer, packed when it is large and the client can unpack it. */
export async function sendBody(exchange: Exchange, code: number, contentType: string, body: Buffer): Promise<void> {
  if (body.length > GZIP_FROM_BYTES && acceptsGzip(exchange)) {
    const packed = await pack(body, GZIP_LEVEL);
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
  if (exchange.method !== 'HEAD') await (isPacked ? sendPacked : sendAll)(exchange, start.bytes, pieces);
  exchange.response.end();
}

interface Start {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

// As much as decides how the whole is sent: a small body goes out in one go.
function takeStart(pieces: Iterator<Buffer>, length: number | undefined): Start {
  const taken: Buffer[] = [];
  const enough = Math.min(length ?? Infinity, GZIP_FROM_BYTES + 1);
  for (let size = 0; size < enough; size += taken.at(-1)?.length ?? 0) {
    const next = pieces.next();
    if (next.done === true) return { bytes: Buffer.concat(taken), isWhole: true };
    // A piece lasts only until the next one is made.
    taken.push(Buffer.from(next.value));
  }
  const bytes = Buffer.concat(taken);
  return { bytes, isWhole: bytes.length === length };
}

async function sendAll({ response, signal }: Exchange, start: Buffer, rest: Iterator<Buffer>): Promise<void> {
  await writeAll(response, start, rest, signal);
}

async function sendPacked({ response, signal }: Exchange, start: Buffer, rest: Iterator<Buffer>): Promise<void> {
  const packer = createGzip({ level: GZIP_LEVEL });
  const packAll = async (): Promise<void> => {
    await writeAll(packer, start, rest, signal);
    packer.end();
  };
  const passOn = async (): Promise<void> => {
    for await (const chunk of packer) await write(response, chunk, signal);
  };
  try {
    await Promise.all([packAll(), passOn()]);
  } finally {
    packer.destroy();
  }
}

async function writeAll(sink: Writable, start: Buffer, rest: Iterator<Buffer>, signal: AbortSignal): Promise<void> {
  await write(sink, start, signal);
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    await write(sink, next.value, signal);
    await nextTurn();
  }
}

/** Resolves when the bytes have been taken, so that their memory can be used again. */
function write(sink: Writable, bytes: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('the answer was given up', { cause: signal.reason }));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    // When the connection breaks, the signal aborts; that is the one reason for which a write fails.
    sink.write(bytes, (error) => {
      if (error !== null && error !== undefined) return;
      signal.removeEventListener('abort', giveUp);
      resolve();
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
