import { once } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Exchange } from './exchange.ts';
import type { PiecewiseBody } from './list-body.ts';

const GZIP_FROM_BYTES = 128 * 1024;
const gzipAsync = promisify(gzip);

/** Sends an answer, packed when it is large and the client can unpack it. */
export async function sendBody(exchange: Exchange, code: number, contentType: string, body: Buffer): Promise<void> {
  if (body.length > GZIP_FROM_BYTES && acceptsGzip(exchange)) {
    // Level 1 packs JSON to a twentieth already; more costs time and saves little.
    const packed = await gzipAsync(body, { level: 1 });
    exchange.setHeader('Content-Encoding', 'gzip');
    exchange.setHeader('Vary', 'Accept-Encoding');
    exchange.send(code, contentType, packed);
    return;
  }
  exchange.send(code, contentType, body);
}

/** Sends a body piece by piece, the next one when the client has taken the last. */
export async function sendPieces(
  exchange: Exchange,
  code: number,
  contentType: string,
  body: PiecewiseBody,
): Promise<void> {
  const { response, signal } = exchange;
  exchange.begin(code, { 'Content-Type': contentType, 'Content-Length': body.length });
  if (exchange.method !== 'HEAD') {
    for (const piece of body.pieces()) {
      if (!response.write(piece) && piece.length < body.length) await once(response, 'drain', { signal });
    }
  }
  response.end();
}

/** Whether the client can unpack gzip. */
export function acceptsGzip(exchange: Exchange): boolean {
  const accepted = exchange.header('accept-encoding');
  return accepted !== undefined && accepted.split(',').some((part) => part.trim().split(';')[0] === 'gzip');
}
