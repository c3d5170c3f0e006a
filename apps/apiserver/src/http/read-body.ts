import type { Readable } from 'node:stream';

import { badRequestError, requestEntityTooLargeError } from '../errors/make-status-error.ts';

/** As much as a Kubernetes API server takes. */
const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

/**
 * Reads a whole request body. Throws 413 as soon as it is too large, 400 when the client breaks off, and the reason of
 * the signal when that aborts first.
 */
export function readBody(request: Readable, signal: AbortSignal, maxBytes: number = MAX_BODY_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isWhole = false;
    const drop = (error: unknown): void => {
      signal.removeEventListener('abort', giveUp);
      // What is left is not wanted, but it has to be taken off the wire for the answer to be read.
      chunks.length = 0;
      request.off('data', take);
      request.resume();
      reject(error);
    };
    const giveUp = (): void => drop(signal.reason);
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes) drop(requestEntityTooLargeError(`limit is ${maxBytes}`));
    };
    request.on('data', take);
    request.once('end', () => {
      isWhole = true;
      signal.removeEventListener('abort', giveUp);
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.once('error', (error) => reject(badRequestError('the request body could not be read', { cause: error })));
    request.once('close', () => {
      signal.removeEventListener('abort', giveUp);
      if (!isWhole) reject(badRequestError('the request body ended too early'));
    });
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}
