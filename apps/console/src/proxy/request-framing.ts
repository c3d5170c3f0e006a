import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

import { ConsoleError } from '../console-error.ts';

/** How the end of a request's body is found: there is none, it has so many bytes, or its chunks say it. */
export type RequestFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'sized'; readonly bytes: number }
  | { readonly kind: 'chunked' };

/**
 * Says how a request is passed on, so that the server behind sees the same end of it as we do. Throws `bad-request` for all that two
 * servers could read differently: what is left over would count as the next request on the connection, which is another user's.
 */
export function decideFraming(method: string, headers: IncomingHttpHeaders): RequestFraming {
  const isRead = method === 'GET' || method === 'HEAD';
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) {
    if (length !== undefined) throw bad('Transfer-Encoding', 'stands beside a Content-Length: send one of them');
    if (coding.toLowerCase() !== 'chunked') throw bad('Transfer-Encoding', 'has to be chunked: send no other');
    if (isRead) throw bad('Transfer-Encoding', `is not for ${method}: send no body with it`);
    return { kind: 'chunked' };
  }
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw bad('Content-Length', 'has to be a number of bytes');
  const bytes = Number(length ?? 0);
  if (!isRead) return { kind: 'sized', bytes };
  if (bytes > 0) throw bad('Content-Length', `is not for ${method}: send no body with it`);
  return { kind: 'none' };
}

/** The headers that say so. Left to itself the HTTP client would guess, and guesses wrong for DELETE. */
export function framingHeaders(framing: RequestFraming): OutgoingHttpHeaders {
  switch (framing.kind) {
    case 'none':
      return {};
    case 'sized':
      return { 'content-length': String(framing.bytes) };
    case 'chunked':
      return { 'transfer-encoding': 'chunked' };
  }
}

function bad(field: string, why: string): ConsoleError {
  return new ConsoleError('bad-request', `${field} ${why}`, { field });
}
