import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Answer } from './answer.ts';

/** So much of a body that nobody wants is passed over for the sake of the connection. */
const MOST_SKIPPED_BYTES = 65_536;

/** Answers a request, also one whose body was not read. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(answer.body),
  };
  if (answer.retryAfterSeconds !== undefined) headers['retry-after'] = answer.retryAfterSeconds;
  if (!request.complete && !isShort(request)) headers['connection'] = 'close';
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}

function isShort({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= MOST_SKIPPED_BYTES;
}
