import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { HttpAnswer, HttpRequest } from './http-dispatcher.ts';
import { StreamedBody } from './streamed-body.ts';
import { CONNECT_TIMEOUT, timeoutError } from './timeout-error.ts';

/** One request and its answer, until the last byte of it, a timeout, or the caller's signal. */
export class HttpExchange {
  readonly #request: HttpRequest;
  readonly #connectTimeoutMs: number;
  readonly #answered = Promise.withResolvers<HttpAnswer>();
  readonly #onOver: (() => void)[] = [];
  readonly #giveUp = (): void => this.fail(reasonOf(this.#request.signal));
  #sent: ClientRequest | undefined;
  #message: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(request: HttpRequest, connectTimeoutMs: number) {
    this.#request = request;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** Sends the request; resolves with the head of the answer. */
  async run(send: (onAnswer: (message: IncomingMessage) => void) => ClientRequest): Promise<HttpAnswer> {
    const { signal, body } = this.#request;
    try {
      this.#sent = send((message) => this.#take(message));
    } catch (error) {
      // Such as a path or a header that no request may have.
      this.#end();
      throw error;
    }
    signal?.addEventListener('abort', this.#giveUp, { once: true });
    this.#sent
      .on('error', (error) => this.#failed(error))
      .once('socket', (socket) => this.#awaitConnection(socket))
      .once('close', () => this.#end());
    this.#sent.end(body);
    return await this.#answered.promise;
  }

  /** Calls back when the exchange is over, however it ended. */
  whenOver(callback: () => void): void {
    if (this.#isOver) callback();
    else this.#onOver.push(callback);
  }

  /** Ends it; whoever reads the answer gets the error. */
  fail(error: Error): void {
    this.#message?.destroy(error);
    this.#sent?.destroy(error);
  }

  #awaitConnection(socket: Socket): void {
    if (!socket.connecting) return this.#awaitHead();
    this.#limit(this.#connectTimeoutMs, `no connection after ${this.#connectTimeoutMs} ms`, CONNECT_TIMEOUT);
    const event = this.#sent?.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once(event, () => this.#awaitHead());
  }

  #awaitHead(): void {
    const { headTimeoutMs = 0 } = this.#request;
    this.#limit(headTimeoutMs, `no answer after ${headTimeoutMs} ms`, 'HEAD_TIMEOUT');
  }

  #limit(milliseconds: number, text: string, code: string): void {
    clearTimeout(this.#timer);
    if (milliseconds === 0 || this.#isOver || this.#message !== undefined) return;
    this.#timer = setTimeout(() => this.fail(timeoutError(text, code)), milliseconds);
  }

  #take(message: IncomingMessage): void {
    clearTimeout(this.#timer);
    this.#message = message;
    // Whoever reads gets it; an error of an answer that nobody reads any more must not end the process.
    message.on('error', (error) => this.#failed(error));
    const { bodyTimeoutMs = 0 } = this.#request;
    const { statusCode = 0, headers } = message;
    this.#answered.resolve({ statusCode, headers, body: new StreamedBody(message, bodyTimeoutMs) });
  }

  #failed(error: Error): void {
    this.#answered.reject(error);
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#giveUp);
    for (const callback of this.#onOver) callback();
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('given up', { cause: reason });
}
