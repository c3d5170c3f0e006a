import type { Message } from '@smalt/openflow';

import type { OvsError } from '../ovs-error.ts';

/** One question and the messages that answer it, kept until somebody takes them. */
export class Exchange {
  readonly #messages: Message[] = [];
  #waiting: PromiseWithResolvers<void> | undefined;
  #failure: OvsError | undefined;
  #heldBytes = 0;

  get heldBytes(): number {
    return this.#heldBytes;
  }

  put(message: Message): void {
    this.#messages.push(message);
    this.#heldBytes += message.body.length;
    this.#wake();
  }

  /** Nothing more will come. What came before can still be taken. */
  fail(failure: OvsError): void {
    this.#failure ??= failure;
    this.#wake();
  }

  /** Resolves when there is a message to take; may be asked again and again. */
  async arrived(): Promise<void> {
    if (this.#messages.length > 0 || this.#failure !== undefined) return;
    this.#waiting ??= Promise.withResolvers<void>();
    await this.#waiting.promise;
  }

  /** The next message, after `arrived`. */
  take(): Message {
    const message = this.#messages.shift();
    if (message === undefined) throw this.#failure ?? new TypeError('nothing has arrived');
    this.#heldBytes -= message.body.length;
    return message;
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
