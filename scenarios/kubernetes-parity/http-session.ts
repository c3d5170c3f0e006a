import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface SessionOptions {
  readonly url: string;
  readonly token: string;
  /** Whom to trust. Left out: anybody, for a server whose authority is not at hand. */
  readonly authority?: Buffer | undefined;
}

export interface RawAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** Connections to one server. */
export class HttpSession implements Disposable {
  readonly #options: SessionOptions;
  readonly #agent: Agent;

  constructor(options: SessionOptions) {
    this.#options = options;
    const trust = options.authority === undefined ? { rejectUnauthorized: false } : { ca: options.authority };
    this.#agent = new Agent({ keepAlive: true, ...trust });
  }

  async send(request: RawRequest, signal: AbortSignal): Promise<RawAnswer> {
    const response = await this.open(request, signal);
    const chunks: Buffer[] = [];
    for await (const chunk of response) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return {
      code: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(chunks).toString('utf8'),
    };
  }

  /** Sends a request and resolves when the head of the answer is there. */
  open(request: RawRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { body, method } = request;
    const isAnonymous = request.headers['authorization'] === '';
    const { authorization: _credential, ...rest } = request.headers;
    const credential = isAnonymous ? {} : { authorization: `Bearer ${this.#options.token}` };
    const content = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { ...credential, ...content, ...(isAnonymous ? rest : request.headers) };
    return new Promise((resolve, reject) => {
      const url = `${this.#options.url}${request.path}`;
      const sent = httpsRequest(url, { method, headers, agent: this.#agent, signal }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
