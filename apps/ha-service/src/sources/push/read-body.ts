import type { IncomingMessage } from 'node:http';

/** What came of reading a body. */
export type ReadBody =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'too-large' }
  /** The sender went away, or was too slow. */
  | { readonly kind: 'broken' };

/** Reads a body of at most so many bytes. What is announced as larger is not read at all. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { kind: 'too-large' };
  // Who went away before anybody listened is not heard of again.
  if (request.destroyed) return { kind: 'broken' };
  const { promise, resolve } = Promise.withResolvers<ReadBody>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) {
      request.pause();
      resolve({ kind: 'too-large' });
    } else {
      chunks.push(chunk);
    }
  });
  request.on('end', () => resolve({ kind: 'read', text: textOf(chunks) }));
  request.on('error', () => resolve({ kind: 'broken' }));
  request.on('close', () => resolve({ kind: 'broken' }));
  return promise;
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}
