import type { IncomingMessage } from 'node:http';

import { isDeeperThan, parseJson } from '@smalt/json';
import { messageOf } from '@smalt/service-runtime';

import { OvsAgentError } from '../../ovs-agent-error.ts';

const MOST_BYTES = 64 * 1_024;
const MOST_DEPTH = 16;

/** The body of a request, from JSON; undefined where it has none. Too much of it is refused before it is read. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return bytes === 0 ? undefined : parseText(Buffer.concat(chunks).toString('utf8'));
}

function parseText(text: string): unknown {
  if (isDeeperThan(text, MOST_DEPTH)) {
    throw new OvsAgentError('invalid-request', `the body is nested more than ${MOST_DEPTH} deep`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    const message = `the body is not JSON (${messageOf(error)}): see /openapi.json for what it may be`;
    throw new OvsAgentError('invalid-request', message, { cause: error });
  }
}

function tooLarge(): OvsAgentError {
  return new OvsAgentError('too-large', `the body has more than ${MOST_BYTES} bytes: no request needs so many`);
}
