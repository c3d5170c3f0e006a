import type { Duplex } from 'node:stream';

import type { MessageSink } from './message-sink.ts';

/** A socket without TLS takes any number of messages at once. */
export class PlainSink implements MessageSink {
  readonly #socket: Duplex;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  writeParts(header: Buffer, payload: Uint8Array, onTaken?: (error?: Error | null) => void): void {
    this.#socket.cork();
    this.#socket.write(header);
    this.#socket.write(payload, onTaken);
    this.#socket.uncork();
  }
}
