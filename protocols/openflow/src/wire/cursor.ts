import { OpenFlowError } from '../openflow-error.ts';

/** Reads big-endian numbers one after the other and refuses to read past the end. */
export class Cursor {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get offset(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#take(1));
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  /** The next number, which stays the next. */
  peekUint32(): number {
    const value = this.uint32();
    this.#at -= 4;
    return value;
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8));
  }

  /** An unsigned number of any width. */
  integer(length: number): bigint {
    const at = this.#take(length);
    if (length <= 6 && length > 0) return BigInt(this.#bytes.readUIntBE(at, length));
    return length === 0 ? 0n : BigInt(`0x${this.#bytes.toString('hex', at, at + length)}`);
  }

  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  skip(length: number): this {
    this.#take(length);
    return this;
  }

  #take(length: number): number {
    if (length < 0 || length > this.remaining) {
      throw new OpenFlowError('truncated', `${length} bytes are needed at ${this.#at} of ${this.#bytes.length}`);
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
