import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { IncomingMessage } from 'node:http';

import { feedByEvents } from '@smalt/service-runtime';

import type { RawRequest, RawResponse } from './exchange.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: ServingCertificate;
  /** Signs the certificates of clients; a client need not have one. */
  readonly clientCa: string;
  readonly handle: (request: RawRequest, response: RawResponse) => void;
  /** Called for HTTP/1.1 requests that switch to another protocol. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface ServingCertificate {
  readonly key: string;
  readonly cert: string;
}

// The types do not know that these options of HTTP/1.1 are passed on.
const HTTP1_OPTIONS = { maxHeaderSize: 64 * 1024 };
const HEADERS_TIMEOUT_MS = 32_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 90_000;
// client-go puts every watch of a process on one connection.
const MAX_STREAMS = 1_000;
const STREAM_WINDOW_BYTES = 1024 * 1024;
const MAX_SESSION_MEMORY_MB = 512;

/** A socket that accepts HTTPS, HTTP/1.1 and HTTP/2 alike. */
export class Listener implements AsyncDisposable {
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();

  private constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    server.on('secureConnection', (socket: Socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resolves when connections are accepted. */
  static async open(options: ListenOptions): Promise<Listener> {
    const server = createSecureServer({
      allowHTTP1: true,
      ...HTTP1_OPTIONS,
      ...options.certificate,
      ca: options.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      maxSessionMemory: MAX_SESSION_MEMORY_MB,
      settings: { maxConcurrentStreams: MAX_STREAMS, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    const limits = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    Object.assign(server, limits);
    server.on('request', (request, response) => options.handle(request, response));
    server.on('upgrade', options.upgrade);
    feedByEvents(server);
    const listener = new Listener(server);
    server.listen(options.port, options.host);
    await once(server, 'listening');
    return listener;
  }

  get port(): number {
    const address = this.#server.address();
    return isInet(address) ? address.port : 0;
  }

  /** Uses another certificate for connections from now on. */
  setCertificate(certificate: ServingCertificate, clientCa: string): void {
    this.#server.setSecureContext({ ...certificate, ca: clientCa, minVersion: 'TLSv1.2' });
  }

  /** Takes no more connections, lets requests that run finish, and cuts off what is left when the signal aborts. */
  async close(deadline: AbortSignal): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const session of this.#sessions) session.close();
    const cut = (): void => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    };
    if (deadline.aborted) cut();
    deadline.addEventListener('abort', cut, { once: true });
    await closed;
    deadline.removeEventListener('abort', cut);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(AbortSignal.abort());
  }
}

function isInet(address: AddressInfo | string | null): address is AddressInfo {
  return address !== null && typeof address !== 'string';
}
