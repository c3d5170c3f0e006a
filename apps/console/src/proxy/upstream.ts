import type { Agent, ClientRequest, OutgoingHttpHeaders, RequestOptions } from 'node:http';

import type { TlsOptions } from '@smalt/kube';

/** A server behind the console, and what it is reached with. */
export interface UpstreamOptions {
  /** What people call it, for messages. */
  readonly name: string;
  readonly url: string;
  /** Asked for at each request, because authorities change. */
  readonly tls: () => Promise<TlsOptions>;
}

export interface UpstreamRequest {
  readonly method: string;
  /** With its query, as it came. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Whether it goes on in another protocol, and has a connection of its own for that. */
  readonly isUpgrade?: boolean;
}

const KEEP_ALIVE_MS = 30_000;
const MOST_HEAD_BYTES = 65_536;

/** Connections to one server behind the console. They belong to nobody: each request shows who makes it. */
export class Upstream implements Disposable {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #base: URL;
  readonly #prefix: string;
  readonly #agent: Agent;

  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.#options = options;
    this.#base = new URL(options.url);
    this.#prefix = this.#base.pathname.replace(/\/$/, '');
    const settings = { keepAlive: true, timeout: KEEP_ALIVE_MS };
    const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')];
    this.#agent = this.#isSecure ? new https.Agent(settings) : new http.Agent(settings);
  }

  /** Begins a request; its body is still to be written. */
  async begin({ method, path, headers, signal, isUpgrade = false }: UpstreamRequest): Promise<ClientRequest> {
    const tls = this.#isSecure ? await this.#options.tls() : {};
    const { hostname, port, protocol } = this.#base;
    const options: RequestOptions = {
      ...tls,
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: `${this.#prefix}${path}`,
      headers,
      signal,
      maxHeaderSize: MOST_HEAD_BYTES,
      agent: isUpgrade ? false : this.#agent,
    };
    return process.getBuiltinModule(this.#isSecure ? 'node:https' : 'node:http').request(options);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.#base.protocol === 'https:';
  }
}
