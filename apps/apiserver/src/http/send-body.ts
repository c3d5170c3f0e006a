import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Exchange } from './exchange.ts';

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

/** Whether the client can unpack gzip. */
export function acceptsGzip(exchange: Exchange): boolean {
  const accepted = exchange.header('accept-encoding');
  return accepted !== undefined && accepted.split(',').some((part) => part.trim().split(';')[0] === 'gzip');
}
