import type { IncomingMessage } from 'node:http';

import { isDeeperThan, parseJson } from '@smalt/json';
import { messageOf } from '@smalt/service-runtime';

import { VirtHandlerError } from '../../virt-handler-error.ts';

const MOST_BYTES = 16_384;
const MOST_DEPTH = 16;

/** The body of a request, from JSON; undefined where it has none. Too much of it is refused before it is read. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  if (bytes === 0) return undefined;
  const text = Buffer.concat(chunks).toString('utf8');
  if (isDeeperThan(text, MOST_DEPTH)) {
    throw new VirtHandlerError('bad-request', `the body is nested more than ${MOST_DEPTH} deep`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw new VirtHandlerError('bad-request', `the body is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

function tooLarge(): VirtHandlerError {
  return new VirtHandlerError('bad-request', `the body has more than ${MOST_BYTES} bytes: no request needs so many`);
}
