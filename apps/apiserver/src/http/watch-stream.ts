import type { Writable } from 'node:stream';

import type { Exchange } from './exchange.ts';

// What a watcher may lag behind. Lines are shared by all watchers that wait for them, so this is not paid per watcher.
const MAX_PENDING_BYTES = 8 * 1024 * 1024;
const LAST_WORDS_MS = 10_000;
const CRLF = Buffer.from('\r\n');

/** Frames bytes as one chunk of HTTP/1.1, once for all watchers that get the same bytes. */
export class ChunkFraming {
  #bytes: Buffer | undefined;
  #chunk: Buffer | undefined;

  chunk(bytes: Buffer): Buffer {
    if (this.#bytes === bytes && this.#chunk !== undefined) return this.#chunk;
    this.#bytes = bytes;
    this.#chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
    return this.#chunk;
  }
}

/** The open answer to a watch. */
export class WatchStream {
  readonly #exchange: Exchange;
  readonly #isFramed: boolean;
  readonly #framing: ChunkFraming;
  readonly #sink: Writable;
  #allowanceBytes = MAX_PENDING_BYTES;
  #isEnded = false;

  private constructor(exchange: Exchange, framing: ChunkFraming) {
    this.#exchange = exchange;
    this.#framing = framing;
    const { response, request } = exchange;
    // An answer that waits for the one before it on the connection has its head held back; only its own write keeps
    // the order.
    const isWaiting = 'socket' in response && response.socket === null;
    this.#isFramed = !exchange.isHttp2 && !isWaiting;
    // Below HTTP/1.1 the chunks go to the socket as they are: through the response each would be three writes.
    this.#sink = response.stream ?? (isWaiting ? response : request.socket);
  }

  /** Sends the head of the answer, so that the client knows that it is watching. */
  static open(exchange: Exchange, contentType: string, framing: ChunkFraming): WatchStream {
    const headers = { 'Content-Type': contentType, ...(exchange.isHttp2 ? {} : { 'Transfer-Encoding': 'chunked' }) };
    exchange.begin(200, headers);
    const { response } = exchange;
    if ('flushHeaders' in response && typeof response.flushHeaders === 'function') response.flushHeaders();
    return new WatchStream(exchange, framing);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sends the state that a watch starts with, however large. */
  sendInitial(bytes: Buffer): void {
    this.#allowanceBytes = Math.max(this.#allowanceBytes, MAX_PENDING_BYTES + bytes.length);
    this.#write(bytes);
  }

  /** Sends bytes; false when the client lags so far behind that it should not be waited for any longer. */
  send(bytes: Buffer): boolean {
    if (this.#sink.writableLength > this.#allowanceBytes) return false;
    this.#write(bytes);
    return true;
  }

  #write(bytes: Buffer): void {
    if (this.#isEnded || this.#sink.destroyed) return;
    this.#sink.write(this.#isFramed ? this.#framing.chunk(bytes) : bytes);
  }

  /** Ends the answer; a client that does not read it to the end is cut off. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { response } = this.#exchange;
    if (this.#sink.destroyed || response.destroyed) return;
    response.end();
    const cut = setTimeout(() => response.destroy(), LAST_WORDS_MS);
    cut.unref();
    response.once('close', () => clearTimeout(cut));
  }
}
