import type { IncomingMessage } from 'node:http';

import type { HttpBody } from './http-dispatcher.ts';
import { timeoutError } from './timeout-error.ts';

/** The body of an answer as it comes in. Whoever stops reading before its end also ends the connection. */
export class StreamedBody implements HttpBody {
  readonly #message: IncomingMessage;
  readonly #timeoutMs: number;

  /** A timeout of 0 is none. */
  constructor(message: IncomingMessage, timeoutMs: number) {
    this.#message = message;
    this.#timeoutMs = timeoutMs;
  }

  get trailers(): Readonly<Record<string, string | undefined>> {
    return this.#message.trailers;
  }

  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    const timeoutMs = this.#timeoutMs;
    // A reader that takes its time is not a server that is silent.
    let isWaiting = true;
    const onTimeout = (): void => {
      if (isWaiting) this.#message.destroy(timeoutError(`nothing more for ${timeoutMs} ms`, 'BODY_TIMEOUT'));
    };
    const timer = timeoutMs > 0 ? setTimeout(onTimeout, timeoutMs) : undefined;
    try {
      for await (const chunk of this.#message) {
        isWaiting = false;
        yield chunk;
        isWaiting = true;
        timer?.refresh();
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
