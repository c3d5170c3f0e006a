import type { JsonObject } from '@smalt/json';
import { Client, type Dispatcher } from 'undici';

import { BmcError, type BmcErrorCode } from '../bmc-error.ts';
import type { Clock } from '../clock.ts';
import { scrubSecrets } from '../scrub-secrets.ts';
import { explainFailure } from './explain-failure.ts';
import { readRetryAfterMs } from './read-retry-after.ts';
import { parseDocument } from './redfish-document.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 3;
/** Who is asked to wait longer gets the error: the caller may have another way to the host. */
const LONGEST_WAIT_MS = 10_000;

export interface ConnectionOptions {
  readonly origin: string;
  readonly authority: string | undefined;
  readonly serverName: string | undefined;
  readonly clock: Clock;
  readonly secrets: readonly string[];
}

export interface RedfishRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  /** What a 404 means; `bad-answer` if it is left out. */
  readonly missing?: BmcErrorCode;
}

export interface RedfishAnswer {
  readonly status: number;
  readonly document: JsonObject | undefined;
  /** The path of the Location header. */
  readonly location: string | undefined;
  readonly token: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** One connection to a controller, for one call. */
export class RedfishConnection implements AsyncDisposable {
  readonly clock: Clock;
  readonly #origin: string;
  readonly #client: Client;
  readonly #secrets: string[];
  #authorization: Readonly<Record<string, string>> = {};

  constructor({ origin, authority, serverName, clock, secrets }: ConnectionOptions) {
    this.clock = clock;
    this.#origin = origin;
    this.#secrets = [...secrets];
    this.#client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        rejectUnauthorized: true,
        ...(authority !== undefined && { ca: authority }),
        ...(serverName !== undefined && { servername: serverName }),
      },
    });
  }

  /** Sends this header with every request from now on, and keeps its value out of messages. */
  authorize(name: string, value: string): void {
    this.#secrets.push(value);
    this.#authorization = { [name]: value };
  }

  /** The path of a link. Controllers behind other names refer to themselves as they like: the host stays ours. */
  pathOf(link: string): string {
    const url = URL.parse(link, this.#origin);
    if (url === null) throw new BmcError('bad-answer', `${this.#origin}: a link of the controller is not an address`);
    return `${url.pathname}${url.search}`;
  }

  /** Words of the controller as they may stand in a message. */
  scrub(words: string): string {
    return scrubSecrets(words, this.#secrets);
  }

  /** What is at a path. Follows redirects, which stay at this controller. */
  async get(path: string, signal: AbortSignal, missing: BmcErrorCode = 'bad-answer'): Promise<JsonObject> {
    let next = path;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await this.request({ method: 'GET', path: next, missing }, signal);
      if (answer.status < 300 && answer.document !== undefined) return answer.document;
      if (answer.status < 300 || answer.location === undefined) break;
      next = answer.location;
    }
    throw new BmcError('bad-answer', `GET ${this.#origin}${path}: no document, or redirected for ever`);
  }

  /** Sends a request, and again as often as the controller asks to wait a little. Throws for 400 and above. */
  async request(request: RedfishRequest, signal: AbortSignal): Promise<RedfishAnswer> {
    for (;;) {
      const { answer, text } = await this.#exchange(request, signal);
      if (answer.status < 400) return answer;
      const { status, retryAfterMs } = answer;
      const isPutOff = (status === 503 || status === 429) && retryAfterMs !== undefined;
      if (!isPutOff || retryAfterMs > LONGEST_WAIT_MS) {
        const { missing = 'bad-answer' } = request;
        throw explainFailure({ ...this.#failure(request), status, text, retryAfterMs, missing });
      }
      await this.clock.wait(Math.max(retryAfterMs, 100), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.destroy();
  }

  async #exchange(request: RedfishRequest, signal: AbortSignal): Promise<{ answer: RedfishAnswer; text: string }> {
    const { what } = this.#failure(request);
    try {
      const response = await this.#client.request({
        method: request.method,
        path: request.path,
        headers: this.#headers(request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal,
      });
      const text = await readText(response.body, what);
      const status = response.statusCode;
      const isRead = status < 300 && request.method !== 'DELETE';
      const document = isRead ? parseDocument(text, what) : undefined;
      return { text, answer: { status, document, ...this.#readHeaders(response.headers) } };
    } catch (error) {
      signal.throwIfAborted();
      throw toBmcError(error, what);
    }
  }

  #headers(request: RedfishRequest): Record<string, string> {
    return {
      accept: 'application/json',
      'odata-version': '4.0',
      'user-agent': 'smalt',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...this.#authorization,
    };
  }

  #readHeaders(headers: Dispatcher.ResponseData['headers']): Omit<RedfishAnswer, 'status' | 'document'> {
    const location = oneHeader(headers['location']);
    return {
      location: location === undefined ? undefined : this.pathOf(location),
      token: oneHeader(headers['x-auth-token']),
      retryAfterMs: readRetryAfterMs(oneHeader(headers['retry-after']), oneHeader(headers['date'])),
    };
  }

  #failure({ method, path }: RedfishRequest): { readonly what: string; readonly secrets: readonly string[] } {
    return { what: `${method} ${this.#origin}${path}`, secrets: this.#secrets };
  }
}

async function readText(body: AsyncIterable<Uint8Array>, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new BmcError('bad-answer', `${what}: more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function oneHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function toBmcError(error: unknown, what: string): BmcError {
  if (error instanceof BmcError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = (error instanceof Error ? error.message : String(error)) || code || 'the connection failed';
  if (/CERT|UNABLE_TO_(GET|VERIFY)|SELF_SIGNED|CRL_|INVALID_CA|INVALID_PURPOSE/.test(code)) {
    const next = 'check authorityFile and serverName';
    return new BmcError('certificate', `${what}: ${reason} (${code}): ${next}`, { cause: error });
  }
  if (code.startsWith('HPE_')) return new BmcError('bad-answer', `${what}: not HTTP: ${reason}`, { cause: error });
  if (code.endsWith('_TIMEOUT')) return new BmcError('timeout', `${what}: ${reason}`, { cause: error });
  return new BmcError('unreachable', `${what}: ${reason}`, { cause: error });
}
