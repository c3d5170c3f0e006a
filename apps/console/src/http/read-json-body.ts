import type { IncomingMessage } from 'node:http';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

import { ConsoleError } from '../console-error.ts';

/** Reads a small JSON object. What is larger, or anything else, is refused. */
export async function readJsonBody(request: IncomingMessage, mostBytes: number): Promise<JsonObject> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw bad('content-type', 'send application/json');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) throw new TypeError('a request gives bytes');
    bytes += chunk.length;
    if (bytes > mostBytes) throw new ConsoleError('too-large', `the body is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  const value = parsed(Buffer.concat(chunks).toString('utf8'));
  if (!isJsonObject(value)) throw bad('body', 'send a JSON object');
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ConsoleError('bad-request', 'the body is no JSON', { field: 'body', cause: error });
  }
}

function bad(field: string, next: string): ConsoleError {
  return new ConsoleError('bad-request', `${field}: ${next}`, { field });
}
