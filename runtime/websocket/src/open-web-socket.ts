import { randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';

import { acceptKey } from './accept-key.ts';
import { WebSocketError } from './web-socket-error.ts';
import { WebSocketStream } from './web-socket-stream.ts';

export interface OpenOptions {
  /** `https:` or `http:`. */
  readonly url: URL;
  readonly headers?: OutgoingHttpHeaders;
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> & {
    readonly rejectUnauthorized?: boolean;
    readonly servername?: string;
  };
  readonly protocols: readonly string[];
  /** Ends the waiting for an answer; the stream is not concerned. */
  readonly signal: AbortSignal;
}

const MOST_ANSWER_BYTES = 16_384;

interface Switched {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Opens a WebSocket. What the server answers instead is in the error: `refused`, with the status and the text. */
export async function openWebSocket(options: OpenOptions): Promise<WebSocketStream> {
  const key = randomBytes(16).toString('base64');
  const { response, socket, head } = await ask(options, key);
  const protocol = response.headers['sec-websocket-protocol'] ?? '';
  const isRight = response.headers['sec-websocket-accept'] === acceptKey(key);
  if (!isRight || (protocol !== '' && !options.protocols.includes(protocol))) {
    socket.destroy();
    throw new WebSocketError('bad-handshake', 'the server has answered with a handshake that is not one');
  }
  return new WebSocketStream(socket, { isServer: false, head, protocol });
}

async function ask(options: OpenOptions, key: string): Promise<Switched> {
  const { signal, url } = options;
  signal.throwIfAborted();
  const switched = Promise.withResolvers<Switched>();
  const request = makeRequest(options, key);
  const giveUp = (): void =>
    void request.destroy(new WebSocketError('aborted', 'it was given up', { cause: signal.reason }));
  signal.addEventListener('abort', giveUp, { once: true });
  request.once('upgrade', (response, socket, head) => switched.resolve({ response, socket, head }));
  request.once('response', (response) => void refusalOf(response).then(switched.reject, switched.reject));
  request.once('error', (error) => {
    if (error instanceof WebSocketError) return switched.reject(error);
    switched.reject(
      new WebSocketError('connection', `there is no way to ${url.host}: ${error.message}`, { cause: error }),
    );
  });
  request.end();
  try {
    return await switched.promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function makeRequest({ url, headers, tls, protocols }: OpenOptions, key: string): ClientRequest {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    ...(protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') }),
  };
  const { request } = process.getBuiltinModule(url.protocol === 'http:' ? 'node:http' : 'node:https');
  return request(url, { ...tls, agent: false, headers: { ...headers, ...handshake } });
}

async function refusalOf(response: IncomingMessage): Promise<WebSocketError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  response.destroy();
  const httpStatus = response.statusCode ?? 0;
  const answer = Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8');
  return new WebSocketError('refused', `the server has answered with ${httpStatus} instead`, { httpStatus, answer });
}
