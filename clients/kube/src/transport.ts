import { answerError } from './answer-error.ts';
import { systemClock, type Clock } from './clock.ts';
import { Connections } from './connections.ts';
import { Credentials, type Access } from './credentials.ts';
import type { HttpAnswer, HttpBody } from './http-dispatcher.ts';
import { tlsOptions, type TlsOptions } from './tls-options.ts';
import type { KubeConfig } from './kube-config.ts';
import { KubeError } from './kube-error.ts';
import { readRetryAfterMs, retryDelayMs } from './retry.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 5;

/** One attempt at a request and how it went, for metrics. */
export interface Exchange {
  readonly method: string;
  /** Host and port of the server. */
  readonly host: string;
  /** The status of the answer, or `<error>` if there was none. */
  readonly code: string;
  /** Until the head of the answer was there. */
  readonly durationMs: number;
}

export interface TransportOptions {
  readonly config: KubeConfig;
  /** How this program calls itself; up to the first slash it is also its field manager. */
  readonly userAgent: string;
  /** How long the server may be silent before a request fails; watches have a deadline of their own. */
  readonly timeoutMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** What credential plugins run with: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
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
  /** Told of each attempt that failed and is made again; `delayMs` is how long until then. */
  readonly onRetry?: ((error: KubeError, delayMs: number) => void) | undefined;
}

export interface StreamRequest extends KubeRequest {
  /** How long the stream may be silent before it counts as lost; any time if not given. */
  readonly idleTimeoutMs?: number | undefined;
  /** Called after the last of it, with what the server told after the body. */
  readonly onTrailers?: ((trailers: Readonly<Record<string, string | undefined>>) => void) | undefined;
}

/** Where a request goes that another client makes, such as one for a WebSocket, and what it has to show there. */
export interface UpgradeTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsOptions;
}

/** Requests to one API server: connections, credentials, retries. */
export class Transport implements AsyncDisposable {
  readonly #options: TransportOptions;
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #timeoutMs: number;
  readonly #host: string;
  readonly #prefix: string;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#credentials = new Credentials(options.config, options);
    this.#connections = new Connections(options.config);
    const { host, pathname } = new URL(options.config.server);
    this.#host = host;
    this.#prefix = pathname.replace(/\/$/, '');
  }

  /** Makes a request and gives the whole answer. Throws a KubeError unless it succeeded. */
  async send(request: KubeRequest): Promise<string> {
    return await this.#retry(request, async () => {
      const { body } = await this.#attempt(request, undefined);
      return await body.text();
    });
  }

  /** Makes a request and gives the answer as it comes in. Throws a KubeError unless it succeeds. */
  async open(request: StreamRequest): Promise<AsyncIterable<Buffer>> {
    const idleTimeoutMs = request.idleTimeoutMs ?? 0;
    const { body } = await this.#retry(request, () => this.#attempt(request, idleTimeoutMs));
    return this.#guard(body, request);
  }

  /** What a request needs that goes on in another protocol. */
  async upgradeTarget(path: string, query: URLSearchParams | undefined): Promise<UpgradeTarget> {
    const { server, proxyUrl, tls } = this.#options.config;
    if (proxyUrl !== undefined) {
      throw new KubeError('unsupported', `${path}: other protocols cannot be spoken through the proxy ${proxyUrl}`);
    }
    const { authorization, tls: access } = await this.#credentials.access();
    return {
      url: new URL(this.#pathOf({ method: 'GET', path, query }), server),
      headers: { 'user-agent': this.#options.userAgent, ...(authorization !== undefined && { authorization }) },
      tls: tlsOptions(tls, access),
    };
  }

  /** Ends everything that is under way, watches too, with the code `aborted`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]();
  }

  async *#guard(body: HttpBody, request: StreamRequest): AsyncGenerator<Buffer, void> {
    try {
      yield* body;
      request.onTrailers?.(body.trailers ?? {});
    } catch (error) {
      throw this.#toKubeError(error, request);
    }
  }

  async #retry<T>(request: KubeRequest, attempt: () => Promise<T>): Promise<T> {
    const maxAttempts = this.#options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
    let hasRenewed = false;
    for (let count = 1; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        const failure = this.#toKubeError(error, request);
        const isStale: boolean = !hasRenewed && this.#credentials.canChangeAfter(failure);
        const delayMs = isStale
          ? 0
          : retryDelayMs(failure, { method: request.method, count, maxAttempts }, this.#random());
        if (delayMs === undefined) throw failure;
        hasRenewed ||= isStale;
        if (isStale) this.#credentials.expire();
        request.onRetry?.(failure, delayMs);
        await this.#wait(delayMs, request);
      }
    }
  }

  async #wait(delayMs: number, request: KubeRequest): Promise<void> {
    try {
      await this.#clock.wait(delayMs, request.signal);
    } catch (error) {
      throw this.#toKubeError(error, request);
    }
  }

  async #attempt(request: KubeRequest, idleTimeoutMs: number | undefined): Promise<HttpAnswer> {
    request.signal?.throwIfAborted();
    const access = await this.#credentials.access();
    const connections = this.#connections;
    const pool = idleTimeoutMs === undefined ? connections.requests(access.tls) : connections.streams(access.tls);
    const response = await this.#observe(request, () =>
      pool.request({
        path: this.#pathOf(request),
        method: request.method,
        headers: this.#headers(request, access),
        body: request.body,
        signal: request.signal,
        headTimeoutMs: this.#timeoutMs,
        bodyTimeoutMs: idleTimeoutMs ?? this.#timeoutMs,
      }),
    );
    if (response.statusCode < 300) return response;
    const retryAfter = response.headers['retry-after'];
    const retryAfterMs = readRetryAfterMs(typeof retryAfter === 'string' ? retryAfter : undefined, this.#clock.now());
    throw answerError(describe(request), response.statusCode, await response.body.text(), retryAfterMs);
  }

  async #observe({ method }: KubeRequest, request: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const { onExchange } = this.#options;
    if (onExchange === undefined) return await request();
    const startedAt = performance.now();
    const tell = (code: string): void =>
      onExchange({ method, host: this.#host, code, durationMs: performance.now() - startedAt });
    try {
      const response = await request();
      tell(String(response.statusCode));
      return response;
    } catch (error) {
      tell('<error>');
      throw error;
    }
  }

  #pathOf({ path, query }: KubeRequest): string {
    const text = query?.toString() ?? '';
    return `${this.#prefix}${path}${text === '' ? '' : `?${text}`}`;
  }

  #headers(request: KubeRequest, { authorization }: Access): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent,
      accept: request.accept ?? 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
    };
  }

  #toKubeError(error: unknown, request: KubeRequest): KubeError {
    if (error instanceof KubeError) return error;
    const what = describe(request);
    if (request.signal?.aborted === true) {
      return new KubeError('aborted', `${what}: given up by the caller`, { cause: request.signal.reason });
    }
    if (this.#connections.isDisposed)
      return new KubeError('aborted', `${what}: the client is closed`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && error.name.endsWith('TimeoutError') ? 'timeout' : 'connection';
    return new KubeError(code, `${what}: ${reason || 'the connection failed'}`, { cause: error });
  }
}

function describe({ method, path }: KubeRequest): string {
  return `${method} ${path}`;
}
