import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Status } from '@smalt/kubernetes';

import type { User } from '../identity/user.ts';
import { reasonPhrase } from './reason-phrase.ts';
import type { RequestInfo } from './request-info.ts';

/** A request to go on in another protocol, such as WebSocket, that passed authentication and authorization. */
export interface UpgradeCall {
  readonly info: RequestInfo;
  readonly user: User;
  readonly request: IncomingMessage;
  /** From now on the handler's: it answers on it and closes it. */
  readonly socket: Duplex;
  /** What the client sent already. */
  readonly head: Buffer;
  /** Aborts when the server stops or the client goes away. */
  readonly signal: AbortSignal;
  /** To be told the code of the answer when it goes out. */
  readonly started?: (code: number) => void;
}

/** Serves an upgraded request. What it throws before it has answered is told to the client. */
export type UpgradeHandler = (call: UpgradeCall) => Promise<void>;

/** Answers on a bare socket that the request is refused, and closes it. */
export function refuseUpgrade(socket: Duplex, status: Status): void {
  const body = `${JSON.stringify(status)}\n`;
  const code = status.code ?? 500;
  const wait = status.details?.retryAfterSeconds;
  const head = [
    `HTTP/1.1 ${code} ${reasonPhrase(code)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(wait === undefined ? [] : [`Retry-After: ${wait}`]),
    'Connection: close',
  ];
  // What the client still sends is thrown away; the connection must not stay open for as long as the client likes.
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
