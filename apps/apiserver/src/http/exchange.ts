import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Duplex, Readable, Writable } from 'node:stream';

/** A request as both versions of HTTP give it. */
export interface RawRequest extends Readable {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersionMajor: number;
  readonly socket: Duplex;
  /** Only HTTP/2 has one. */
  readonly stream?: { readonly session?: { readonly socket: Duplex } | undefined };
}

/** A response as both versions of HTTP take it. */
export interface RawResponse extends Writable {
  readonly headersSent: boolean;
  statusCode: number;
  /** Only HTTP/2 has one. */
  readonly stream?: Writable;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
}

/** One request and the answer to it. */
export class Exchange {
  readonly request: RawRequest;
  readonly response: RawResponse;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client went away or the server stops. */
  readonly signal: AbortSignal;
  readonly #headers: OutgoingHttpHeaders;
  readonly #warnings: string[] = [];
  #createdName: string | undefined;

  constructor(request: RawRequest, response: RawResponse, auditId: string, signal: AbortSignal) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    this.headers = request.headers;
    this.signal = signal;
    this.#headers = { 'Audit-Id': auditId, 'Cache-Control': 'no-cache, private' };
  }

  get isHttp2(): boolean {
    return this.request.httpVersionMajor === 2;
  }

  /** What the request came through, the very same object for all requests of a connection. */
  get connection(): Duplex {
    // In HTTP/2 each request has a stand-in of its own for the socket.
    return this.request.stream?.session?.socket ?? this.request.socket;
  }

  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  get code(): number {
    return this.response.statusCode;
  }

  /** The name of what was created, which the path of such a request does not tell; for the audit. */
  get createdName(): string | undefined {
    return this.#createdName;
  }

  noteCreated(name: string): void {
    this.#createdName = name;
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  /** Ends the request with its answer, even if the client has not sent all of it. To be called before the answer. */
  closeWhenSent(): void {
    if (this.request.readableEnded) return;
    const { stream } = this.response;
    // In HTTP/2 the response itself finishes only when the client is done too; its stream does when all is sent.
    if (stream === undefined) this.setHeader('Connection', 'close');
    else stream.once('finish', () => stream.destroy());
  }

  /** Tells the client something next to the answer; the same text only once. */
  addWarning(text: string): void {
    if (text !== '' && !this.#warnings.includes(text)) this.#warnings.push(text);
  }

  /** Sends the head of an answer whose body is written later. */
  begin(code: number, headers: OutgoingHttpHeaders): void {
    const all = { ...this.#headers, ...headers };
    if (this.#warnings.length > 0) all['Warning'] = this.#warnings.map(warningHeader);
    this.response.writeHead(code, all);
  }

  /** Sends a whole answer. */
  send(code: number, contentType: string, body: Buffer | string): void {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.begin(code, { 'Content-Type': contentType, 'Content-Length': length });
    this.response.end(this.method === 'HEAD' ? undefined : body);
  }

  /** Sends an answer without a body. */
  sendEmpty(code: number): void {
    this.begin(code, { 'Content-Length': 0 });
    this.response.end();
  }
}

// A header value holds printable ASCII only; the text stands between quotes in it.
function warningHeader(text: string): string {
  const printable = text
    .replaceAll(/[^\u0020-\u007E]/g, '?')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`);
  return `299 - "${printable}"`;
}
