import { XdrError } from './error.ts';

const INITIAL_BYTES = 256;
const UINT32_MAX = 0xffff_ffff;

/**
 * Appends XDR values to a buffer that grows as needed. Every method refuses a value that XDR cannot carry,
 * with the buffer as it was before the call.
 */
export class XdrWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes: number = INITIAL_BYTES) {
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

  /** A counted string of at most `maxBytes` bytes of UTF-8. */
  string(value: string, maxBytes: number = UINT32_MAX): void {
    const size = Buffer.byteLength(value);
    if (size > maxBytes) throw tooLong('string', size, maxBytes);
    const at = this.#reserve(4 + padded(size));
    this.#store(at, size);
    this.#bytes.write(value, at + 4, 'utf8');
    this.#bytes.fill(0, at + 4 + size, this.#length);
  }

  /** A counted run of at most `maxBytes` bytes. */
  opaque(value: Uint8Array, maxBytes: number = UINT32_MAX): void {
    if (value.length > maxBytes) throw tooLong('opaque', value.length, maxBytes);
    const at = this.#reserve(4 + padded(value.length));
    this.#store(at, value.length);
    this.#bytes.set(value, at + 4);
    this.#bytes.fill(0, at + 4 + value.length, this.#length);
  }

  /** Exactly `size` bytes, without a count. */
  fixedOpaque(value: Uint8Array, size: number): void {
    if (value.length !== size) throw new XdrError('invalid', `expected ${size} bytes, got ${value.length}`);
    const at = this.#reserve(padded(size));
    this.#bytes.set(value, at);
    this.#bytes.fill(0, at + size, this.#length);
  }

  /** The count in front of an array; the caller writes the items. */
  arrayLength(count: number, maxItems: number = UINT32_MAX): void {
    if (count > maxItems) throw tooLong('array', count, maxItems);
    this.uint32(count);
  }

  /** Overwrites four bytes written before, for a length that is known only at the end. */
  patchUint32(at: number, value: number): void {
    if (at < 0 || at + 4 > this.#length) throw new XdrError('out-of-range', `no word at byte ${at}`);
    this.#store(at, value);
  }

  /** Forgets everything from byte `length` on. */
  truncate(length: number): void {
    if (length > this.#length) throw new XdrError('out-of-range', `only ${this.#length} bytes are written`);
    this.#length = length;
  }

  /** Hands out what was written and starts anew; the caller owns the bytes. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(INITIAL_BYTES);
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

function padded(size: number): number {
  return (size + 3) & ~3;
}

function outOfRange(what: string, value: number | bigint): XdrError {
  return new XdrError('out-of-range', `${value} is not ${what}`);
}

function tooLong(what: string, size: number, max: number): XdrError {
  return new XdrError('too-long', `${what} of ${size} is over the limit of ${max}`);
}
