import type { Dispatcher } from 'undici';

import type { HttpAnswer, HttpDispatcher, HttpRequest } from './http-dispatcher.ts';
import type { HttpPoolOptions } from './http-pool.ts';

/** Connections to one server through a proxy: HTTP, HTTPS or SOCKS5. */
export class ProxiedDispatcher implements HttpDispatcher {
  readonly #origin: string;
  readonly #agent: Promise<Dispatcher>;

  constructor(origin: string, proxyUrl: string, options: HttpPoolOptions) {
    this.#origin = origin;
    this.#agent = openAgent(proxyUrl, options);
    // Told to whoever makes a request; there may be none.
    this.#agent.catch(() => undefined);
  }

  async request({ headTimeoutMs = 0, bodyTimeoutMs = 0, ...request }: HttpRequest): Promise<HttpAnswer> {
    const agent = await this.#agent;
    return await agent.request({
      origin: this.#origin,
      method: request.method,
      path: request.path,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: request.signal ?? null,
      headersTimeout: headTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
    });
  }

  async close(): Promise<void> {
    await (await this.#agent).close();
  }

  async destroy(): Promise<void> {
    await (await this.#agent).destroy();
  }
}

// Few go through a proxy, and the package takes 10 MiB.
async function openAgent(proxyUrl: string, options: HttpPoolOptions): Promise<Dispatcher> {
  const { ProxyAgent } = await import('undici');
  const { connections, keepAliveMs, connectTimeoutMs, tls } = options;
  const limits = {
    connections: Number.isFinite(connections) ? connections : null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // See docs/decisions/0016-no-http-2-in-our-clients.md
    allowH2: false,
  };
  return new ProxyAgent({ ...limits, uri: proxyUrl, requestTls: { ...tls, timeout: connectTimeoutMs } });
}
