import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

import { messageOf } from '@smalt/service-runtime';

import { ConsoleError } from '../console-error.ts';
import { answerUpgrade } from '../http/answer-upgrade.ts';
import { answerHeaders, switchHeaders, upgradeHeaders } from './passed-headers.ts';
import type { Upstream } from './upstream.ts';

export interface ForwardedUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the browser sent behind the request. */
  readonly head: Buffer;
  readonly upstream: Upstream;
  /** With its query. */
  readonly path: string;
  readonly credentials: OutgoingHttpHeaders;
}

type Answer =
  | { readonly kind: 'switched'; readonly response: IncomingMessage; readonly other: Duplex; readonly head: Buffer }
  | { readonly kind: 'answered'; readonly response: IncomingMessage };

const ANSWER_MS = 30_000;
const MOST_REFUSAL_BYTES = 65_536;
const KEEP_ALIVE_MS = 30_000;

/**
 * Passes a request for a WebSocket on. Once the server behind has agreed bytes pass both ways until one side closes, or the signal
 * fires; any other answer goes to the browser. Throws a ConsoleError while nothing was answered.
 */
export async function forwardUpgrade(forwarded: ForwardedUpgrade, signal: AbortSignal): Promise<void> {
  const { request, socket, head, upstream, path, credentials } = forwarded;
  const headers = { ...upgradeHeaders(request.headers), ...credentials, 'user-agent': 'smalt-console/0.1.0' };
  const sent = await upstream.begin({ method: 'GET', path, headers, signal, isUpgrade: true });
  const answer = await ask(upstream, sent, signal);
  const { response } = answer;
  if (answer.kind === 'answered') return await relay(response, socket);
  answerUpgrade(socket, 101, switchHeaders(response.headers));
  request.socket.setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0).setNoDelay(true);
  if (answer.head.length > 0) socket.write(answer.head);
  if (head.length > 0) answer.other.write(head);
  await joined(socket, answer.other, signal);
}

async function ask(upstream: Upstream, sent: ClientRequest, signal: AbortSignal): Promise<Answer> {
  const answered = Promise.withResolvers<Answer>();
  const late = setTimeout(() => sent.destroy(new Error(`no answer after ${ANSWER_MS} ms`)), ANSWER_MS);
  sent.once('upgrade', (response, other, head) => answered.resolve({ kind: 'switched', response, other, head }));
  sent.once('response', (response) => answered.resolve({ kind: 'answered', response }));
  sent.on('error', answered.reject);
  sent.end();
  try {
    return await answered.promise;
  } catch (error) {
    signal.throwIfAborted();
    const message = `${upstream.name} cannot be reached: ${messageOf(error)}; see whether it runs, and try again`;
    throw new ConsoleError('unavailable', message, { cause: error });
  } finally {
    clearTimeout(late);
  }
}

async function relay(response: IncomingMessage, socket: Duplex): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) throw new TypeError('an answer gives bytes');
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_REFUSAL_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, MOST_REFUSAL_BYTES);
  answerUpgrade(socket, response.statusCode ?? 502, answerHeaders(response.headers), body);
}

async function joined(socket: Duplex, other: Duplex, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const close = (): void => {
    signal.removeEventListener('abort', close);
    socket.destroy();
    other.destroy();
    over.resolve();
  };
  signal.addEventListener('abort', close, { once: true });
  // An error of a stream is followed by its end, which is what counts here.
  for (const each of [socket, other]) each.on('error', close).once('close', close);
  socket.pipe(other);
  other.pipe(socket);
  if (signal.aborted || socket.destroyed || other.destroyed) close();
  await over.promise;
}
