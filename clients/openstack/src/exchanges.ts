import type { Dispatcher } from 'undici';

import { answerError } from './answer-error.ts';
import type { ServiceName } from './cloud-config.ts';
import type { Connections } from './connections.ts';
import { OpenStackError, type OpenStackErrorCode } from './openstack-error.ts';
import { readRetryAfterMs } from './retry.ts';
import type { Slots } from './slots.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One attempt at a request and how it went, for logs and metrics. */
export interface Exchange {
  readonly service: ServiceName | 'identity';
  readonly method: HttpMethod;
  /** The path with names for ids, such as `/servers/{server}/action`: few different ones, fit for a label. */
  readonly path: string;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** What went wrong, if something did. */
  readonly code: OpenStackErrorCode | undefined;
  readonly durationMs: number;
  /** What the service calls this request in its own logs. */
  readonly requestId: string | undefined;
}

export interface HttpCall {
  readonly service: ServiceName | 'identity';
  readonly method: HttpMethod;
  readonly path: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether 300 is an answer too: a list of versions to choose from. */
  readonly acceptsChoices?: boolean | undefined;
  /** What must not be in an error, even if the server repeats it. */
  readonly secret?: string | undefined;
}

export interface HttpAnswer {
  readonly text: string;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly requestId: string | undefined;
}

export interface ExchangeOptions {
  readonly connections: Connections;
  readonly slots: Slots;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** Makes single attempts at requests, and tells of each. */
export class Exchanges {
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Makes a request once. Throws an OpenStackError unless it succeeded. */
  async send(call: HttpCall): Promise<HttpAnswer> {
    try {
      using _slot = await this.#options.slots.take(call.signal);
      return await this.#observed(call);
    } catch (error) {
      throw this.#toOpenStackError(error, call, false);
    }
  }

  async #observed(call: HttpCall): Promise<HttpAnswer> {
    const startedAt = performance.now();
    const seen: Sighting = { status: undefined, requestId: undefined };
    let code: OpenStackErrorCode | undefined;
    try {
      return await this.#timed(call, seen);
    } catch (error) {
      if (error instanceof OpenStackError) code = error.code;
      throw error;
    } finally {
      const { service, method, path } = call;
      const durationMs = performance.now() - startedAt;
      this.#options.onExchange?.({ service, method, path, code, durationMs, ...seen });
    }
  }

  // The timers of undici see a server that is silent; one that sends a byte now and then needs a limit on the whole.
  async #timed(call: HttpCall, seen: Sighting): Promise<HttpAnswer> {
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(call.signal?.reason);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, this.#options.timeoutMs);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      call.signal?.throwIfAborted();
      return await this.#request(call, ending.signal, seen);
    } catch (error) {
      throw this.#toOpenStackError(error, call, isLate);
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    }
  }

  async #request(call: HttpCall, signal: AbortSignal, seen: Sighting): Promise<HttpAnswer> {
    const pool = await this.#options.connections.pool(call.url.origin);
    const response = await pool.request({
      path: `${call.url.pathname}${call.url.search}`,
      method: call.method,
      headers: this.#headers(call),
      body: call.body ?? null,
      signal,
      headersTimeout: this.#options.timeoutMs,
      bodyTimeout: this.#options.timeoutMs,
    });
    const { statusCode, headers } = response;
    const requestId = textHeader(headers['x-openstack-request-id']);
    Object.assign(seen, { status: statusCode, requestId });
    const text = await response.body.text();
    if (statusCode < 300 || (statusCode === 300 && call.acceptsChoices === true)) return { text, headers, requestId };
    const retryAfterMs = readRetryAfterMs(textHeader(headers['retry-after']), textHeader(headers['date']));
    const body = call.secret === undefined ? text : text.replaceAll(call.secret, '(secret)');
    const { service } = call;
    throw answerError({ what: describeCall(call), service, httpStatus: statusCode, body, requestId, retryAfterMs });
  }

  #headers(call: HttpCall): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent,
      accept: 'application/json',
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    };
  }

  #toOpenStackError(error: unknown, call: HttpCall, isLate: boolean): OpenStackError {
    if (error instanceof OpenStackError) return error;
    const what = describeCall(call);
    if (call.signal?.aborted === true) {
      return new OpenStackError('aborted', `${what}: given up by the caller`, { cause: call.signal.reason });
    }
    if (this.#options.connections.isDisposed) {
      return new OpenStackError('aborted', `${what}: the client is closed`, { cause: error });
    }
    if (isLate) {
      const message = `${what}: no full answer within ${this.#options.timeoutMs} ms from ${call.url.origin}`;
      return new OpenStackError('timeout', message, { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && error.name.endsWith('TimeoutError') ? 'timeout' : 'connection';
    const message = `${what}: ${reason || 'the connection failed'} (${call.url.origin})`;
    return new OpenStackError(code, message, { cause: error });
  }
}

interface Sighting {
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** A call in the words of errors: `compute: GET /servers/{server}`. */
export function describeCall({ service, method, path }: Pick<HttpCall, 'service' | 'method' | 'path'>): string {
  return `${service}: ${method} ${path}`;
}

function textHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
