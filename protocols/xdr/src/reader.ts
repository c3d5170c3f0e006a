import { XdrError } from './error.ts';
import { padded } from './padded.ts';

const UINT32_MAX = 0xffff_ffff;

/**
 * Reads XDR values from a buffer, front to back. Nothing is allocated for a length before the bytes are known to be
 * there. Opaque values are copies, so the buffer may be used again. A reader that threw is of no further use.
 */
export class XdrReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  /** Reads the bytes from `start` up to `end`; what is around them is never looked at. */
  constructor(bytes: Buffer, start: number = 0, end: number = bytes.length) {
    if (!(start >= 0 && start <= end && end <= bytes.length)) {
      throw new XdrError('out-of-range', `bytes ${start} to ${end} are not within a buffer of ${bytes.length}`);
    }
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** How many bytes are left. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  uint32(): number {
    const at = this.#take(4);
    const bytes = this.#bytes;
    return (
      (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>>
      0
    );
  }

  int32(): number {
    return this.uint32() | 0;
  }

  /** XDR knows 0 and 1 only; anything else is refused. */
  bool(): boolean {
    const value = this.uint32();
    if (value > 1) throw new XdrError('invalid', `${value} is not a boolean (0 or 1)`);
    return value === 1;
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8));
  }

  float64(): number {
    return this.#bytes.readDoubleBE(this.#take(8));
  }

  /** A counted string of at most `maxBytes` bytes. What is not UTF-8 reads as U+FFFD; `opaque` keeps the bytes. */
  string(maxBytes: number = UINT32_MAX): string {
    const size = this.#size('string', maxBytes);
    const at = this.#take(padded(size));
    return this.#bytes.toString('utf8', at, at + size);
  }

  /** A counted run of at most `maxBytes` bytes, copied. */
  opaque(maxBytes: number = UINT32_MAX): Buffer {
    const size = this.#size('opaque', maxBytes);
    const at = this.#take(padded(size));
    return Buffer.from(this.#bytes.subarray(at, at + size));
  }

  /** Exactly `size` bytes, copied. */
  fixedOpaque(size: number): Buffer {
    if (size >>> 0 !== size) throw new XdrError('out-of-range', `${size} is not a number of bytes`);
    const at = this.#take(padded(size));
    return Buffer.from(this.#bytes.subarray(at, at + size));
  }

  /**
   * The count in front of an array. An item takes at least `minItemBytes`, so a count that the remaining bytes cannot
   * hold is refused before the caller makes room for it.
   */
  arrayLength(maxItems: number = UINT32_MAX, minItemBytes: number = 4): number {
    const count = this.#size('array', maxItems);
    if (count * minItemBytes > this.remaining) {
      throw new XdrError('truncated', `array of ${count} items, but only ${this.remaining} bytes are left`);
    }
    return count;
  }

  /** Everything that is left, copied. */
  rest(): Buffer {
    const at = this.#take(this.remaining);
    return Buffer.from(this.#bytes.subarray(at, this.#end));
  }

  /** Refuses bytes after the last value. */
  end(): void {
    if (this.remaining > 0) throw new XdrError('trailing', `${this.remaining} bytes after the last value`);
  }

  #size(what: string, max: number): number {
    const size = this.uint32();
    if (size > max) throw new XdrError('too-long', `${what} of ${size} is over the limit of ${max}`);
    return size;
  }

  #take(size: number): number {
    const at = this.#at;
    if (size > this.#end - at) {
      throw new XdrError('truncated', `${size} bytes wanted at byte ${at}, but only ${this.#end - at} are left`);
    }
    this.#at = at + size;
    return at;
  }
}
