import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { acceptKey } from './accept-key.ts';
import { WebSocketError } from './web-socket-error.ts';
import { WebSocketStream } from './web-socket-stream.ts';

export interface AcceptOptions {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client sent behind the request. */
  readonly head: Uint8Array;
  /** The subprotocols that this server speaks. A client that asks for others alone is refused; one that asks for none is not. */
  readonly protocols: readonly string[];
}

const KEY = /^[A-Za-z0-9+/]{22}==$/;
const KEEP_ALIVE_MS = 30_000;

/** Throws `bad-handshake` where a request does not ask for a WebSocket in a way that this server can speak. */
export function checkHandshake({ request, protocols }: Pick<AcceptOptions, 'request' | 'protocols'>): string {
  const { headers, method } = request;
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') throw bad('it asks for no WebSocket');
  if (headers['sec-websocket-version'] !== '13') throw bad('only version 13 is spoken');
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) throw bad('its key is wrong');
  const asked = (headers['sec-websocket-protocol'] ?? '').split(',').flatMap((each) => each.trim() || []);
  const agreed = asked.find((each) => protocols.includes(each));
  if (agreed === undefined && asked.length > 0) throw bad(`it speaks none of ${protocols.join(', ')}`);
  return agreed ?? '';
}

/** Answers that the connection goes on as a WebSocket. Throws `bad-handshake` before anything was answered. */
export function acceptWebSocket(options: AcceptOptions): WebSocketStream {
  const { request, socket, head } = options;
  const protocol = checkHandshake(options);
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptKey(request.headers['sec-websocket-key'] ?? '')}`,
    ...(protocol === '' ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  // A client whose machine has vanished is noticed by this.
  request.socket.setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0).setNoDelay(true);
  return new WebSocketStream(socket, { isServer: true, head, protocol });
}

function bad(why: string): WebSocketError {
  return new WebSocketError('bad-handshake', `the request cannot go on as a WebSocket: ${why}`);
}
