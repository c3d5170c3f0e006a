import { Pool, ProxyAgent, type Dispatcher } from 'undici';

import { answerError } from './answer-error.ts';
import { systemClock, type Clock } from './clock.ts';
import { Credentials, type Access, type TlsAccess } from './credentials.ts';
import type { KubeConfig } from './kube-config.ts';
import { KubeError } from './kube-error.ts';
import { readRetryAfterMs, retryDelayMs } from './retry.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;

export interface TransportOptions {
  readonly config: KubeConfig;
  /** How this program calls itself; up to the first slash it is also its field manager. */
  readonly userAgent: string;
  /** How long a request may take; watches are not meant. */
  readonly timeoutMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer has no end of its own. */
  readonly isStream?: boolean | undefined;
}

/** Requests to one API server: connections, credentials, retries. */
export class Transport implements AsyncDisposable {
  readonly #options: TransportOptions;
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #random: () => number;
  #dispatcher: Dispatcher | undefined;
  #dispatcherTls: TlsAccess | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#credentials = new Credentials(options.config, options);
  }

  /** Makes a request and gives the whole answer. Throws a KubeError unless it succeeded. */
  async send(request: KubeRequest): Promise<string> {
    return await this.#retry(request, async () => {
      const { body } = await this.#attempt(request);
      return await body.text();
    });
  }

  /** Makes a request and gives the answer as it comes in. Throws a KubeError unless it succeeds. */
  async open(request: KubeRequest): Promise<AsyncIterable<Buffer>> {
    const body = await this.#retry(request, async () => (await this.#attempt({ ...request, isStream: true })).body);
    return this.#guard(body, request);
  }

  async *#guard(body: AsyncIterable<Buffer>, request: KubeRequest): AsyncGenerator<Buffer, void> {
    try {
      yield* body;
    } catch (error) {
      throw this.#toKubeError(error, request);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher?.destroy();
  }

  async #retry<T>(request: KubeRequest, attempt: () => Promise<T>): Promise<T> {
    const maxAttempts = this.#options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
    for (let count = 1; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        const failure = this.#toKubeError(error, request);
        const delayMs = this.#isCredentialStale(failure, count)
          ? 0
          : retryDelayMs(failure, { method: request.method, count, maxAttempts }, this.#random());
        if (delayMs === undefined) throw failure;
        await this.#wait(delayMs, request);
      }
    }
  }

  #isCredentialStale(failure: KubeError, count: number): boolean {
    if (failure.code !== 'unauthorized' || count > 1 || !this.#credentials.canChange) return false;
    this.#credentials.expire();
    return true;
  }

  async #wait(delayMs: number, request: KubeRequest): Promise<void> {
    try {
      await this.#clock.wait(delayMs, request.signal);
    } catch (error) {
      throw this.#toKubeError(error, request);
    }
  }

  async #attempt(request: KubeRequest): Promise<Dispatcher.ResponseData> {
    request.signal?.throwIfAborted();
    const access = await this.#credentials.access();
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const response = await this.#dispatcherFor(access.tls).request({
      path: this.#pathOf(request),
      method: request.method,
      headers: this.#headers(request, access),
      body: request.body ?? null,
      signal: request.signal ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: request.isStream === true ? 0 : timeoutMs,
    });
    if (response.statusCode < 300) return response;
    const retryAfter = response.headers['retry-after'];
    const retryAfterMs = readRetryAfterMs(typeof retryAfter === 'string' ? retryAfter : undefined, this.#clock.now());
    throw answerError(describe(request), response.statusCode, await response.body.text(), retryAfterMs);
  }

  #pathOf({ path, query }: KubeRequest): string {
    const prefix = new URL(this.#options.config.server).pathname.replace(/\/$/, '');
    const text = query?.toString() ?? '';
    return `${prefix}${path}${text === '' ? '' : `?${text}`}`;
  }

  #headers(request: KubeRequest, { authorization }: Access): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent,
      accept: request.accept ?? 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
    };
  }

  #dispatcherFor(tls: TlsAccess): Dispatcher {
    if (this.#dispatcher !== undefined && isSameTls(this.#dispatcherTls, tls)) return this.#dispatcher;
    // What is under way on the old connections, watches above all, goes on there until it ends.
    void this.#dispatcher?.close();
    this.#dispatcherTls = tls;
    this.#dispatcher = makeDispatcher(this.#options.config, tls);
    return this.#dispatcher;
  }

  #toKubeError(error: unknown, request: KubeRequest): KubeError {
    if (error instanceof KubeError) return error;
    const what = describe(request);
    if (request.signal?.aborted === true) {
      return new KubeError('aborted', `${what}: given up by the caller`, { cause: request.signal.reason });
    }
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && error.name.endsWith('TimeoutError') ? 'timeout' : 'connection';
    return new KubeError(code, `${what}: ${reason || 'the connection failed'}`, { cause: error });
  }
}

function describe({ method, path }: KubeRequest): string {
  return `${method} ${path}`;
}

function isSameTls(a: TlsAccess | undefined, b: TlsAccess): boolean {
  return a?.authority === b.authority && a?.certificate === b.certificate && a?.key === b.key;
}

function makeDispatcher(config: KubeConfig, access: TlsAccess): Dispatcher {
  const { server, tls, proxyUrl } = config;
  const connect = {
    timeout: CONNECT_TIMEOUT_MS,
    rejectUnauthorized: !tls.isInsecure,
    ...(access.authority !== undefined && { ca: access.authority }),
    ...(access.certificate !== undefined && { cert: access.certificate }),
    ...(access.key !== undefined && { key: access.key }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  };
  const origin = new URL(server).origin;
  if (proxyUrl !== undefined) return proxied(origin, new ProxyAgent({ uri: proxyUrl, requestTls: connect }));
  return new Pool(origin, { connect, pipelining: 1 });
}

// A pool knows its origin; an agent that goes through a proxy has to be told with every request.
function proxied(origin: string, agent: ProxyAgent): Dispatcher {
  return agent.compose((dispatch) => (options, handler) => dispatch({ ...options, origin }, handler));
}
