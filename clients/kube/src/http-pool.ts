import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { AgentOptions } from 'node:https';

import type { HttpAnswer, HttpDispatcher, HttpRequest } from './http-dispatcher.ts';
import { HttpExchange } from './http-exchange.ts';

export interface HttpPoolOptions {
  /** Requests beyond wait for their turn. */
  readonly connections: number;
  /** How long a connection may be idle before it is closed; a server that announces less is believed. */
  readonly keepAliveMs: number;
  readonly connectTimeoutMs: number;
  readonly tls: Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
}

type Send = (options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => ClientRequest;

/** Connections to one server, of HTTP/1.1, that are used again and again. */
export class HttpPool implements HttpDispatcher {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #send: Send;
  readonly #connectTimeoutMs: number;
  readonly #underWay = new Set<HttpExchange>();
  #isClosed = false;

  constructor(origin: string, { connections, keepAliveMs, connectTimeoutMs, tls }: HttpPoolOptions) {
    this.#url = new URL(origin);
    this.#connectTimeoutMs = connectTimeoutMs;
    const options = { keepAlive: true, maxSockets: connections, timeout: keepAliveMs };
    const isSecure = this.#url.protocol === 'https:';
    // Not imported: an import runs every getter that the module has, and brings all of fetch with it.
    const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')];
    this.#agent = isSecure ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
    this.#send = isSecure ? https.request : http.request;
  }

  async request(request: HttpRequest): Promise<HttpAnswer> {
    request.signal?.throwIfAborted();
    if (this.#isClosed) throw new Error('these connections are closed');
    const exchange = new HttpExchange(request, this.#connectTimeoutMs);
    this.#underWay.add(exchange);
    exchange.whenOver(() => this.#underWay.delete(exchange));
    return await exchange.run((onAnswer) => this.#send(this.#optionsOf(request), onAnswer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ends = Array.from(this.#underWay, (exchange) => new Promise<void>((resolve) => exchange.whenOver(resolve)));
    await Promise.all(ends);
    this.#agent.destroy();
  }

  async destroy(): Promise<void> {
    this.#isClosed = true;
    for (const exchange of this.#underWay) exchange.fail(new Error('the connection was closed on our side'));
    this.#agent.destroy();
  }

  #optionsOf({ method, path, headers, body }: HttpRequest): RequestOptions {
    const { protocol, hostname, port } = this.#url;
    return {
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method,
      path,
      agent: this.#agent,
      // Else Node would send the body of a DELETE without saying how long it is.
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    };
  }
}
