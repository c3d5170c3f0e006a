import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { messageOf } from '@smalt/service-runtime';

import type { ObjectReader } from '../cluster/cluster-objects.ts';
import { isRefusal, refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';
import { findHandler } from './find-handler.ts';
import { readHandlerAnswer } from './handler-answer.ts';
import type { FindHandlerCredentials } from './handler-credentials.ts';
import { openHandlerRequest, type HandlerRequest } from './handler-request.ts';
import type { HandlerTarget } from './handler-target.ts';
import { joinSockets } from './join-sockets.ts';
import { statusOfHandler } from './status-of-handler.ts';

/** A client that asks to go on as a websocket. */
export interface StreamClient {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
  /** What it sent already. */
  readonly head: Buffer;
  /** Told when the answer goes out: from then on nothing can be refused any more. */
  readonly started: (code: number) => void;
  readonly signal: AbortSignal;
}

export interface NodeStreamsDeps {
  readonly reader: Pick<ObjectReader, 'node'>;
  readonly credentials: FindHandlerCredentials;
  /** How many streams there may be at a time; who comes later has to come again. */
  readonly mostStreams: number;
}

interface Joined {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const STREAM_PROTOCOL = 'plain.kubevirt.io';
const ANSWER_MS = 10_000;
const SWITCHING_PROTOCOLS = 101;
/** A console may be silent for hours; that the other machine is still there is for TCP to find out. */
const KEEP_ALIVE_MS = 30_000;

/** Joins clients with the consoles, screens and ports of guests, and with what nodes tell, by the handlers of the nodes. */
export class NodeStreams {
  readonly #deps: NodeStreamsDeps;
  #open = 0;

  constructor(deps: NodeStreamsDeps) {
    this.#deps = deps;
  }

  /** How many streams there are now. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when both sides have ended. What is refused before it began is thrown. */
  async join(
    target: HandlerTarget,
    asked: Pick<HandlerRequest, 'subresource' | 'query'>,
    client: StreamClient,
  ): Promise<void> {
    const key = checkedKey(client.headers);
    if (this.#open >= this.#deps.mostStreams) {
      const message = `there are ${this.#open} streams already: close one, or try again later`;
      throw refusal(statusOf(429, message, { retryAfterSeconds: 5 }));
    }
    this.#open++;
    try {
      const joined = await this.#open101(target, { ...asked, method: 'GET', headers: upgradeHeaders(key) }, client);
      await passOn(joined, client);
    } finally {
      this.#open--;
    }
  }

  async #open101(target: HandlerTarget, asked: HandlerRequest, { signal }: StreamClient): Promise<Joined> {
    const { reader, credentials } = this.#deps;
    const address = await findHandler(reader, target, signal);
    const shown = await credentials(address.nodeName, signal);
    const request = openHandlerRequest(address, shown, target, asked);
    const timeout = AbortSignal.timeout(ANSWER_MS);
    const limit = AbortSignal.any([signal, timeout]);
    try {
      return await switched(request, limit);
    } catch (error) {
      request.destroy();
      signal.throwIfAborted();
      if (isRefusal(error)) throw error;
      const why = timeout.aborted ? `it was silent for ${ANSWER_MS / 1_000} s` : messageOf(error);
      const message = `Unable to connect to virt-handler on ${address.nodeName}: ${why}: try again`;
      throw refusal(statusOf(503, message), { cause: error });
    }
  }
}

/** Refuses clients that do not speak the protocol, before anybody is asked. Returns the key of their handshake. */
function checkedKey(headers: IncomingHttpHeaders): string {
  const { upgrade = '', 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (upgrade.toLowerCase() !== 'websocket' || key === undefined) throw notWebsocket();
  if (version !== '13') throw refusal(statusOf(400, 'websocket: unsupported version: 13 not found in the handshake'));
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key)) throw refusal(statusOf(400, 'websocket: the key of the handshake is wrong'));
  return key;
}

/** The refusal of a request that has to be a websocket. */
export function notWebsocket(): VirtApiError {
  const message = `websocket: the client is not using the websocket protocol: this is a stream, connect with a websocket of the subprotocol ${STREAM_PROTOCOL}`;
  return refusal(statusOf(400, message));
}

/** Nothing of the client's credentials is among them. Its key is, so that the answer to it is the handler's. */
function upgradeHeaders(key: string): Readonly<Record<string, string>> {
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': key,
    'sec-websocket-version': '13',
    'sec-websocket-protocol': STREAM_PROTOCOL,
  };
}

function switched(request: ClientRequest, signal: AbortSignal): Promise<Joined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void request.destroy(new Error('given up'));
    const settle = (): void => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    request.on('upgrade', (response, socket, head) => {
      settle();
      resolve({ response, socket, head });
    });
    request.on('response', (response) => {
      refusalIn(response, signal).then(reject, reject).finally(settle);
    });
    request.on('error', (error) => {
      settle();
      reject(error);
    });
    if (signal.aborted) abort();
    request.end();
  });
}

/** Whatever a handler says in place of going on, it is no stream. */
async function refusalIn(response: IncomingMessage, signal: AbortSignal): Promise<VirtApiError> {
  const answer = await readHandlerAnswer(response, signal);
  return refusal(statusOfHandler({ ...answer, code: answer.code >= 400 ? answer.code : 502 }));
}

async function passOn({ response, socket, head }: Joined, client: StreamClient): Promise<void> {
  client.started(SWITCHING_PROTOCOLS);
  for (const side of [socket, client.socket]) {
    if (side instanceof Socket) side.setKeepAlive(true, KEEP_ALIVE_MS).setNoDelay(true);
  }
  client.socket.write(switchHead(response, client.headers), 'latin1');
  if (head.length > 0) client.socket.write(head);
  if (client.head.length > 0) socket.write(client.head);
  await joinSockets(client.socket, socket, client.signal);
}

/** The handler's answer to the handshake. A client that offered no subprotocol would not take one. */
function switchHead({ headers }: IncomingMessage, asked: IncomingHttpHeaders): string {
  const offered = (asked['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const lines = [
    `HTTP/1.1 ${SWITCHING_PROTOCOLS} Switching Protocols`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Accept: ${headers['sec-websocket-accept'] ?? ''}`,
    ...(offered.includes(STREAM_PROTOCOL) ? [`Sec-WebSocket-Protocol: ${STREAM_PROTOCOL}`] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
