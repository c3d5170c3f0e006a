import type { Duplex } from 'node:stream';

import type { MessageSink } from './message-sink.ts';

interface Waiting {
  readonly message: Buffer;
  readonly onTaken: ((error?: Error | null) => void) | undefined;
}

/**
 * Sends each message in TLS records of its own. libvirtd waits for its socket to become readable, and forgets what its
 * TLS library has already decrypted: a second message in the same record would lie there until something else arrives.
 * Node joins the writes that wait behind one another into one record, so the next goes out when the last has gone.
 */
export class RecordSink implements MessageSink {
  readonly #socket: Duplex;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #isWriting = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  get waitingBytes(): number {
    return this.#waitingBytes + this.#socket.writableLength;
  }

  write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const end = at + bytes.readUInt32BE(at);
      this.#add(bytes.subarray(at, end));
      at = end;
    }
  }

  writeParts(header: Buffer, payload: Uint8Array, onTaken?: (error?: Error | null) => void): void {
    this.#add(Buffer.concat([header, payload]), onTaken);
  }

  #add(message: Buffer, onTaken?: (error?: Error | null) => void): void {
    this.#waiting.push({ message, onTaken });
    this.#waitingBytes += message.length;
    if (!this.#isWriting) this.#next();
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isWriting = true;
    this.#waitingBytes -= next.message.length;
    this.#socket.write(next.message, (error) => {
      this.#isWriting = false;
      next.onTaken?.(error);
      this.#next();
    });
  }
}
