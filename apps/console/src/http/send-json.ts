import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { ConsoleError, statusOf } from '../console-error.ts';
import { DATA_HEADERS } from './security-headers.ts';

/** Answers with JSON that nobody keeps. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  const own = { 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(status, { ...DATA_HEADERS, ...own, ...headers }).end(body);
}

/** The headers and the body by which a client is told why not. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly message: string; readonly field?: string };
  readonly headers: OutgoingHttpHeaders;
}

/** What a client is told of an error; of one that is not ours nothing that could be a secret. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ConsoleError)) {
    const message = 'the console failed to answer: look at its log, and try again';
    return { status: 500, body: { message }, headers: {} };
  }
  const { message, field, code } = error;
  const isLater = code === 'too-many-requests' || code === 'unavailable';
  const body = field === undefined ? { message } : { message, field };
  return { status: statusOf(error), body, headers: isLater ? { 'retry-after': '5' } : {} };
}

/** Says why not: in JSON, or in plain words where a person opened the address. */
export function sendRefusal(
  response: ServerResponse,
  error: unknown,
  { isForPerson, isLast }: { readonly isForPerson: boolean; readonly isLast: boolean },
): void {
  const { status, body, headers } = refusalOf(error);
  const all = isLast ? { ...headers, connection: 'close' } : headers;
  if (!isForPerson) return sendJson(response, status, body, all);
  const text = Buffer.from(`${body.message}\n`);
  const own = { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length };
  response.writeHead(status, { ...DATA_HEADERS, ...own, ...all }).end(text);
}
