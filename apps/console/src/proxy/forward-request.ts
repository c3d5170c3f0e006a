import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { messageOf } from '@smalt/service-runtime';

import { ConsoleError, isConsoleError } from '../console-error.ts';
import { DATA_HEADERS } from '../http/security-headers.ts';
import { answerHeaders, requestHeaders } from './passed-headers.ts';
import { decideFraming, framingHeaders, type RequestFraming } from './request-framing.ts';
import type { Upstream } from './upstream.ts';

/** A request of a browser, and who it is passed on to. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** With its query. */
  readonly path: string;
  /** What shows there who asks. */
  readonly credentials: OutgoingHttpHeaders;
  readonly mostBodyBytes: number;
  /** What to do with an answer in the place of passing it on, such as one that is about the console and not the user. */
  readonly refuse?: (status: number) => ConsoleError | undefined;
}

/** How long a server may take to begin its answer; webhooks may have 30 s each. */
const HEAD_MS = 75_000;

/**
 * Passes a request on, and its answer back, as they come. Throws a ConsoleError while nothing was answered. A connection on which a
 * body did not come to its end is closed, never used again.
 */
export async function forwardRequest(forwarded: ForwardedRequest, signal: AbortSignal): Promise<void> {
  const { request, response, upstream, path, credentials, mostBodyBytes, refuse } = forwarded;
  const { method = 'GET' } = request;
  const framing = decideFraming(method, request.headers);
  if (framing.kind === 'sized' && framing.bytes > mostBodyBytes) throw tooLarge(mostBodyBytes);
  const content = { ...requestHeaders(request.headers), ...framingHeaders(framing) };
  const headers = { ...content, ...credentials, 'user-agent': 'smalt-console/0.1.0' };
  const sent = await upstream.begin({ method, path, headers, signal });
  const answer = await ask(forwarded, framing, sent, signal);
  const status = answer.statusCode ?? 502;
  const refusal = refuse?.(status);
  if (refusal !== undefined) {
    answer.destroy();
    throw refusal;
  }
  response.writeHead(status, { ...answerHeaders(answer.headers), ...DATA_HEADERS });
  // Whoever watches wants to know that the watch has begun before anything happens.
  response.flushHeaders();
  await pipeline(answer, response, { signal }).catch((error: unknown) => {
    // The head is out: that the answer ends here is all there is left to tell.
    response.destroy(error instanceof Error ? error : undefined);
  });
}

async function ask(
  { request, upstream, mostBodyBytes }: ForwardedRequest,
  framing: RequestFraming,
  sent: ClientRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const answered = Promise.withResolvers<IncomingMessage>();
  const late = setTimeout(() => sent.destroy(new Error(`no answer after ${HEAD_MS} ms`)), HEAD_MS);
  sent.once('response', answered.resolve);
  sent.on('error', answered.reject);
  if (framing.kind === 'none') sent.end();
  else {
    pipeline(request, countedBody(framing, mostBodyBytes), sent).catch((error: unknown) => {
      answered.reject(error);
      sent.destroy();
    });
  }
  try {
    return await answered.promise;
  } catch (error) {
    signal.throwIfAborted();
    if (isConsoleError(error)) throw error;
    const message = `${upstream.name} cannot be reached: ${messageOf(error)}; see whether it runs, and try again`;
    throw new ConsoleError('unavailable', message, { cause: error });
  } finally {
    clearTimeout(late);
  }
}

/** Passes a body that is as long as it was said to be, and no longer than any may be. */
function countedBody(framing: RequestFraming, mostBytes: number): Transform {
  let bytes = 0;
  const expected = framing.kind === 'sized' ? framing.bytes : undefined;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (expected !== undefined && bytes > expected) done(notWhole());
      else if (bytes > mostBytes) done(tooLarge(mostBytes));
      else done(null, chunk);
    },
    flush: (done) => done(expected === undefined || bytes === expected ? null : notWhole()),
  });
}

function notWhole(): ConsoleError {
  const message = 'Content-Length is not that of the body: send as many bytes as it says';
  return new ConsoleError('bad-request', message, { field: 'Content-Length' });
}

function tooLarge(mostBytes: number): ConsoleError {
  return new ConsoleError('too-large', `the body is longer than ${mostBytes} bytes`);
}
