import { alignmentOf, paddingAt } from './alignment.ts';
import { DBusError } from './dbus-error.ts';
import type { DBusValue } from './dbus-value.ts';
import { FIXED_TYPES } from './fixed-types.ts';
import { isObjectPath } from './names.ts';
import { parseSignature, parseSingleType, type BasicCode, type DBusType } from './parse-signature.ts';

const MAX_ARRAY_BYTES = 2 ** 26;
/** Arrays, structs and variants inside each other: 64 by the specification. */
const MAX_DEPTH = 64;

/** The byte order of a message: `l` or `B`, as its first byte says. */
export type Endian = 'little' | 'big';

/**
 * Reads values from the bytes of a message, whose alignment counts from their beginning. Nothing is allocated for a
 * length before the bytes are known to be there. A reader that threw is of no further use.
 */
export class DBusReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #isLittle: boolean;
  #at: number;
  #depth = 0;

  constructor(bytes: Uint8Array, endian: Endian, start: number = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittle = endian === 'little';
    this.#at = start;
  }

  get position(): number {
    return this.#at;
  }

  /** The values that a signature lists. */
  values(signature: string): readonly DBusValue[] {
    return parseSignature(signature).map((type) => this.value(type));
  }

  value(type: DBusType): DBusValue {
    switch (type.kind) {
      case 'basic':
        return this.#basic(type.code);
      case 'variant':
        return this.#nested(() => this.#variant());
      case 'bytes':
        return this.#byteArray();
      case 'array':
        return this.#nested(() => this.#array(type.item));
      case 'dictionary':
        return this.#nested(() => this.#dictionary(type.key, type.value));
      case 'struct':
        return this.#nested(() => this.#struct(type.fields));
    }
  }

  /** Skips to a multiple of `alignment`; the bytes between have to be zero. */
  align(alignment: number): void {
    const size = paddingAt(this.#at, alignment);
    const at = this.#take(size);
    for (let index = at; index < at + size; index += 1) {
      if (this.#bytes[index] !== 0) throw new DBusError('invalid', `padding that is not zero at byte ${index}`);
    }
  }

  /** Refuses bytes after the last value. */
  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw new DBusError('trailing', `${left} bytes after the last value`);
  }

  #basic(code: BasicCode): DBusValue {
    const fixed = FIXED_TYPES[code];
    if (!fixed) return this.#text(code);
    this.align(fixed.size);
    return fixed.get(this.#view, this.#take(fixed.size), this.#isLittle);
  }

  #text(code: BasicCode): string {
    const size = code === 'g' ? (this.#bytes[this.#take(1)] ?? 0) : this.#uint32();
    // A text ends with a zero that its length leaves out.
    const at = this.#take(size + 1);
    if (this.#bytes[at + size] !== 0)
      throw new DBusError('invalid', `a text without a zero at its end, byte ${at + size}`);
    const text = this.#bytes.toString('utf8', at, at + size);
    if (text.includes('\0')) throw new DBusError('invalid', `a text with a zero inside, at byte ${at}`);
    if (Buffer.byteLength(text) !== size || text.includes('\uFFFD')) this.#requireUtf8(at, size);
    if (code === 'o' && !isObjectPath(text)) throw new DBusError('invalid', `"${text}" is not an object path`);
    if (code === 'g') parseSignature(text);
    return text;
  }

  /** U+FFFD may have been sent as such, or stand for bytes that are no UTF-8. */
  #requireUtf8(at: number, size: number): void {
    const bytes = this.#bytes.subarray(at, at + size);
    if (Buffer.from(bytes.toString('utf8')).equals(bytes)) return;
    throw new DBusError('invalid', `a text that is not UTF-8, at byte ${at}`);
  }

  #variant(): DBusValue {
    const signature = this.#text('g');
    return { signature, value: this.value(parseSingleType(signature)) };
  }

  #byteArray(): Uint8Array {
    const size = this.#arraySize(1);
    const at = this.#take(size);
    return Uint8Array.from(this.#bytes.subarray(at, at + size));
  }

  #array(item: DBusType): readonly DBusValue[] {
    const end = this.#arraySize(alignmentOf(item)) + this.#at;
    const items = [];
    while (this.#at < end) items.push(this.value(item));
    this.#requireEnd(end);
    return items;
  }

  #dictionary(key: DBusType, value: DBusType): ReadonlyMap<DBusValue, DBusValue> {
    const end = this.#arraySize(8) + this.#at;
    const entries = new Map<DBusValue, DBusValue>();
    while (this.#at < end) {
      this.align(8);
      entries.set(this.value(key), this.value(value));
    }
    this.#requireEnd(end);
    return entries;
  }

  #struct(fields: readonly DBusType[]): readonly DBusValue[] {
    this.align(8);
    return fields.map((field) => this.value(field));
  }

  /** The size of an array without the padding in front of its first item. */
  #arraySize(itemAlignment: number): number {
    const size = this.#uint32();
    if (size > MAX_ARRAY_BYTES) throw new DBusError('too-long', `an array of ${size} bytes`);
    this.align(itemAlignment);
    if (size > this.#bytes.length - this.#at) throw this.#truncated(size);
    return size;
  }

  #requireEnd(end: number): void {
    if (this.#at !== end) throw new DBusError('invalid', `an array whose last item goes beyond its end, byte ${end}`);
  }

  #uint32(): number {
    this.align(4);
    return this.#view.getUint32(this.#take(4), this.#isLittle);
  }

  #nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new DBusError('too-deep', `values nest more than ${MAX_DEPTH} levels`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #take(size: number): number {
    const at = this.#at;
    if (size > this.#bytes.length - at) throw this.#truncated(size);
    this.#at = at + size;
    return at;
  }

  #truncated(size: number): DBusError {
    const left = this.#bytes.length - this.#at;
    return new DBusError('truncated', `${size} bytes wanted at byte ${this.#at}, but only ${left} are left`);
  }
}
