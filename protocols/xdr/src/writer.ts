import { XdrError } from './error.ts';
import { padded } from './padded.ts';

const INITIAL_BYTES = 256;
const UINT32_MAX = 0xffff_ffff;

/**
 * Appends XDR values to a buffer that grows as needed. Every method refuses a value that XDR cannot carry,
 * with the buffer as it was before the call.
 */
export class XdrWriter {
  readonly #initialBytes: number;
  #bytes: Buffer;
  #length = 0;

  /** `initialBytes` is the room to start with, here and after each `take`. */
  constructor(initialBytes: number = INITIAL_BYTES) {
    this.#initialBytes = initialBytes;
    this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  uint32(value: number): void {
    if (value >>> 0 !== value) throw outOfRange('an unsigned 32-bit integer', value);
    this.#word(value);
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw outOfRange('a 32-bit integer', value);
    this.#word(value);
  }

  bool(value: boolean): void {
    this.#word(value ? 1 : 0);
  }

  uint64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange('an unsigned 64-bit integer', value);
    const at = this.#reserve(8);
    this.#bytes.writeBigUInt64BE(value, at);
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange('a 64-bit integer', value);
    const at = this.#reserve(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  float64(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  /** A counted string of at most `maxBytes` bytes of UTF-8. Half a surrogate pair has no UTF-8 and is refused. */
  string(value: string, maxBytes: number = UINT32_MAX): void {
    if (!value.isWellFormed()) throw new XdrError('invalid', 'a string with half a surrogate pair has no UTF-8');
    const size = Buffer.byteLength(value);
    if (size > maxBytes) throw tooLong('string', size, maxBytes);
    const at = this.#reserve(4 + padded(size));
    this.#store(at, size);
    this.#bytes.write(value, at + 4, 'utf8');
    this.#pad(at + 4 + size);
  }

  /** A counted run of at most `maxBytes` bytes. */
  opaque(value: Uint8Array, maxBytes: number = UINT32_MAX): void {
    if (value.length > maxBytes) throw tooLong('opaque', value.length, maxBytes);
    const at = this.#reserve(4 + padded(value.length));
    this.#store(at, value.length);
    this.#bytes.set(value, at + 4);
    this.#pad(at + 4 + value.length);
  }

  /** Exactly `size` bytes, without a count. */
  fixedOpaque(value: Uint8Array, size: number): void {
    if (value.length !== size) throw new XdrError('invalid', `expected ${size} bytes, got ${value.length}`);
    const at = this.#reserve(padded(size));
    this.#bytes.set(value, at);
    this.#pad(at + size);
  }

  /** The count in front of an array; the caller writes the items. */
  arrayLength(count: number, maxItems: number = UINT32_MAX): void {
    if (count > maxItems) throw tooLong('array', count, maxItems);
    this.uint32(count);
  }

  /** Overwrites the word at byte `at`, written before, for a length that is known only at the end. */
  patchUint32(at: number, value: number): void {
    if (!(at >= 0 && at < this.#length && at % 4 === 0)) throw new XdrError('out-of-range', `no word at byte ${at}`);
    if (value >>> 0 !== value) throw outOfRange('an unsigned 32-bit integer', value);
    this.#store(at, value);
  }

  /** Forgets everything from byte `length` on, which is the end of a word. */
  truncate(length: number): void {
    if (!(length >= 0 && length <= this.#length && length % 4 === 0)) {
      throw new XdrError('out-of-range', `no word of the ${this.#length} bytes written ends at byte ${length}`);
    }
    this.#length = length;
  }

  /** Hands out what was written and starts anew; the caller owns the bytes. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(this.#initialBytes);
    this.#length = 0;
    return taken;
  }

  #word(value: number): void {
    const at = this.#reserve(4);
    this.#store(at, value);
  }

  // Four plain stores are several times faster than Buffer.writeUInt32BE, which checks its arguments again.
  #store(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  // At most three bytes, for which Buffer.fill is not worth its call.
  #pad(from: number): void {
    for (let at = from; at < this.#length; at += 1) this.#bytes[at] = 0;
  }

  #reserve(size: number): number {
    const at = this.#length;
    const end = at + size;
    if (end > this.#bytes.length) this.#grow(end);
    this.#length = end;
    return at;
  }

  #grow(atLeast: number): void {
    const larger = Buffer.allocUnsafe(Math.max(atLeast, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function outOfRange(what: string, value: number | bigint): XdrError {
  return new XdrError('out-of-range', `${value} is not ${what}`);
}

function tooLong(what: string, size: number, max: number): XdrError {
  return new XdrError('too-long', `${what} of ${size} is over the limit of ${max}`);
}
