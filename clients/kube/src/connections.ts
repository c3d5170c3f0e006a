import { Pool, ProxyAgent, type Dispatcher } from 'undici';

import type { TlsAccess } from './credentials.ts';
import type { KubeConfig } from './kube-config.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** Requests beyond wait for their turn; watches do not count, each has a connection of its own. */
const MOST_CONNECTIONS = 64;

interface Pools {
  readonly tls: TlsAccess;
  readonly requests: Dispatcher;
  readonly streams: Dispatcher;
}

/** The connections to one API server. A new certificate means new ones; what is under way on the old goes on there. */
export class Connections implements AsyncDisposable {
  readonly #config: KubeConfig;
  readonly #open = new Set<Dispatcher>();
  #current: Pools | undefined;
  #isDisposed = false;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  requests(tls: TlsAccess): Dispatcher {
    return this.#pools(tls).requests;
  }

  /** For answers without an end: they must not keep short requests waiting. */
  streams(tls: TlsAccess): Dispatcher {
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
    const [requests, streams] = [this.#make(tls, MOST_CONNECTIONS), this.#make(tls, null)];
    this.#current = { tls, requests, streams };
    return this.#current;
  }

  #make(tls: TlsAccess, connections: number | null): Dispatcher {
    const dispatcher = makeDispatcher(this.#config, tls, connections);
    this.#open.add(dispatcher);
    return dispatcher;
  }

  #retire(dispatcher: Dispatcher): void {
    const forget = (): void => void this.#open.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }
}

function isSameTls(a: TlsAccess, b: TlsAccess): boolean {
  return a.authority === b.authority && a.certificate === b.certificate && a.key === b.key;
}

function makeDispatcher(config: KubeConfig, access: TlsAccess, connections: number | null): Dispatcher {
  const { server, tls, proxyUrl } = config;
  const connect = {
    timeout: CONNECT_TIMEOUT_MS,
    rejectUnauthorized: !tls.isInsecure,
    ...(access.authority !== undefined && { ca: access.authority }),
    ...(access.certificate !== undefined && { cert: access.certificate }),
    ...(access.key !== undefined && { key: access.key }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  };
  const options = { connections, pipelining: 1, keepAliveTimeout: KEEP_ALIVE_MS };
  const { origin } = new URL(server);
  if (proxyUrl === undefined) return new Pool(origin, { ...options, connect });
  return proxied(origin, new ProxyAgent({ ...options, uri: proxyUrl, requestTls: connect }));
}

// A pool knows its origin; an agent that goes through a proxy has to be told with every request.
function proxied(origin: string, agent: ProxyAgent): Dispatcher {
  return agent.compose((dispatch) => (options, handler) => dispatch({ ...options, origin }, handler));
}
