import { LibvirtError } from '../libvirt-error.ts';
import { HEADER_BYTES, LENGTH_BYTES, MAX_MESSAGE_BYTES } from './message.ts';

const FIRST_CAPACITY = 4096;

/** Takes one whole message, length word included. The bytes are good during the call only: what is kept is copied. */
export type FrameHandler = (bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts a flow of bytes into messages. A message that lies whole in a chunk is handed on without a copy; one that is
 * spread over chunks is gathered in a buffer that grows with what really arrived, not with what the length claims.
 */
export class FrameSplitter {
  readonly #onFrame: FrameHandler;
  #partial: Buffer | undefined;
  #filled = 0;

  constructor(onFrame: FrameHandler) {
    this.#onFrame = onFrame;
  }

  /** How many bytes of an unfinished message are kept. */
  get kept(): number {
    return this.#filled;
  }

  /** Hands on every message the chunk completes. Throws `protocol` at a length that no message can have. */
  push(chunk: Buffer): void {
    let at = this.#partial === undefined ? 0 : this.#complete(chunk);

    while (chunk.length - at >= LENGTH_BYTES) {
      const end = at + checkedLength(chunk, at);
      if (end > chunk.length) break;
      this.#onFrame(chunk, at, end);
      at = end;
    }
    if (at < chunk.length) this.#keep(chunk, at, chunk.length);
  }

  /** Adds to the unfinished message, hands it on when it is whole, and returns where the chunk goes on. */
  #complete(chunk: Buffer): number {
    let at = 0;
    if (this.#filled < LENGTH_BYTES) {
      at = Math.min(LENGTH_BYTES - this.#filled, chunk.length);
      this.#keep(chunk, 0, at);
    }
    if (this.#partial === undefined || this.#filled < LENGTH_BYTES) return at;

    const length = checkedLength(this.#partial, 0);
    const end = Math.min(at + length - this.#filled, chunk.length);
    this.#keep(chunk, at, end);
    if (this.#filled < length) return end;

    const gathered = this.#partial;
    this.#partial = undefined;
    this.#filled = 0;
    this.#onFrame(gathered, 0, length);
    return end;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const filled = this.#filled + end - start;
    const room = this.#partial === undefined || filled > this.#partial.length ? this.#grow(filled) : this.#partial;
    room.set(chunk.subarray(start, end), this.#filled);
    this.#filled = filled;
  }

  #grow(needed: number): Buffer {
    const doubled = Math.max(needed, (this.#partial?.length ?? 0) * 2, FIRST_CAPACITY);
    const larger = Buffer.allocUnsafeSlow(Math.min(doubled, MAX_MESSAGE_BYTES));
    this.#partial?.copy(larger, 0, 0, this.#filled);
    this.#partial = larger;
    return larger;
  }
}

function checkedLength(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at);
  if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
    const limits = `${HEADER_BYTES} to ${MAX_MESSAGE_BYTES}`;
    throw new LibvirtError('protocol', `the daemon announced a message of ${length} bytes; possible are ${limits}`);
  }
  return length;
}
