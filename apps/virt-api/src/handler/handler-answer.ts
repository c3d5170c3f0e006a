import type { IncomingMessage } from 'node:http';

import { isJsonObject, JsonError, parseJson, type JsonValue } from '@smalt/json';

import { refusal, statusOf } from '../virt-api-error.ts';

/** What a handler answered. */
export interface HandlerAnswer {
  readonly code: number;
  readonly text: string;
  /** The text as JSON, where it is an object or a list. */
  readonly body: JsonValue | undefined;
}

/** Lists of users and file systems are long on some guests, but never as long as that. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Reads an answer to its end. Refuses one that is longer than any answer should be. */
export async function readHandlerAnswer(response: IncomingMessage, signal: AbortSignal): Promise<HandlerAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const abort = (): void => void response.destroy(new Error('the answer was given up'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MOST_BYTES) {
        throw refusal(statusOf(500, `the answer of virt-handler is longer than ${MOST_BYTES} bytes`));
      }
      chunks.push(chunk);
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { code: response.statusCode ?? 500, text, body: jsonOf(text) };
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    const value = text.trim() === '' ? undefined : parseJson(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
