import type { Readable } from 'node:stream';

import { refusal, statusOf } from './virt-api-error.ts';

/**
 * Reads a body to its end. Refuses with 413 one that is longer than it may be, and with 400 one that breaks off. What is
 * left of a refused one is thrown away, and the connection stays: the answer has to be read.
 */
export function readBody(request: Readable, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > mostBytes) return drop(refusal(statusOf(413, `Request entity too large: limit is ${mostBytes}`)));
    chunks.push(chunk);
  };
  const drop = (error: unknown): void => {
    request.off('data', take).resume();
    reject(error);
  };
  const giveUp = (): void => drop(signal.reason);
  request.on('data', take);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', (error) => reject(refusal(statusOf(400, 'the body could not be read'), { cause: error })));
  // After its end this comes too, when nobody listens any more.
  request.once('close', () => reject(refusal(statusOf(400, 'the body ended too early'))));
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}
