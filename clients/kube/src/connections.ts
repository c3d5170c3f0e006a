import type { TlsAccess } from './credentials.ts';
import type { HttpDispatcher } from './http-dispatcher.ts';
import { HttpPool } from './http-pool.ts';
import type { KubeConfig } from './kube-config.ts';
import { ProxiedDispatcher } from './proxied-dispatcher.ts';
import { tlsOptions } from './tls-options.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** Requests beyond wait for their turn; watches do not count, each has a connection of its own. */
const MOST_CONNECTIONS = 64;

interface Pools {
  readonly tls: TlsAccess;
  readonly requests: HttpDispatcher;
  readonly streams: HttpDispatcher;
}

/** The connections to one API server. A new certificate means new ones; what is under way on the old goes on there. */
export class Connections implements AsyncDisposable {
  readonly #config: KubeConfig;
  readonly #open = new Set<HttpDispatcher>();
  #current: Pools | undefined;
  #isDisposed = false;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  requests(tls: TlsAccess): HttpDispatcher {
    return this.#pools(tls).requests;
  }

  /** For answers without an end: they must not keep short requests waiting. */
  streams(tls: TlsAccess): HttpDispatcher {
    return this.#pools(tls).streams;
  }

  /** Ends everything that is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all(Array.from(this.#open, (dispatcher) => dispatcher.destroy()));
  }

  #pools(tls: TlsAccess): Pools {
    const current = this.#current;
    if (current !== undefined && isSameTls(current.tls, tls)) return current;
    if (current !== undefined) for (const old of [current.requests, current.streams]) this.#retire(old);
    const [requests, streams] = [this.#make(tls, MOST_CONNECTIONS), this.#make(tls, Infinity)];
    this.#current = { tls, requests, streams };
    return this.#current;
  }

  #make(tls: TlsAccess, connections: number): HttpDispatcher {
    const dispatcher = makeDispatcher(this.#config, tls, connections);
    this.#open.add(dispatcher);
    return dispatcher;
  }

  #retire(dispatcher: HttpDispatcher): void {
    const forget = (): void => void this.#open.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }
}

function isSameTls(a: TlsAccess, b: TlsAccess): boolean {
  return a.authority === b.authority && a.certificate === b.certificate && a.key === b.key;
}

function makeDispatcher(config: KubeConfig, access: TlsAccess, connections: number): HttpDispatcher {
  const { server, proxyUrl } = config;
  const tls = tlsOptions(config.tls, access);
  const options = { connections, keepAliveMs: KEEP_ALIVE_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS, tls };
  const { origin } = new URL(server);
  return proxyUrl === undefined ? new HttpPool(origin, options) : new ProxiedDispatcher(origin, proxyUrl, options);
}
