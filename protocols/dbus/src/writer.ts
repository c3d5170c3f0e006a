import { alignmentOf, paddingAt } from './alignment.ts';
import { DBusError } from './dbus-error.ts';
import { isVariant, type DBusValue } from './dbus-value.ts';
import { FIXED_TYPES } from './fixed-types.ts';
import { isObjectPath } from './names.ts';
import { parseSignature, parseSingleType, type BasicCode, type DBusType } from './parse-signature.ts';
import type { Endian } from './reader.ts';

const INITIAL_BYTES = 256;
const MAX_ARRAY_BYTES = 2 ** 26;
const MAX_DEPTH = 64;

/** Appends values to a buffer that grows as needed. Refuses a value that does not fit its type. */
export class DBusWriter {
  readonly #isLittle: boolean;
  #bytes: Buffer = Buffer.alloc(INITIAL_BYTES);
  #view: DataView = viewOf(this.#bytes);
  #length = 0;
  #depth = 0;

  constructor(endian: Endian) {
    this.#isLittle = endian === 'little';
  }

  get length(): number {
    return this.#length;
  }

  /** As many values as the signature lists. */
  values(signature: string, values: readonly DBusValue[]): void {
    const types = parseSignature(signature);
    if (types.length !== values.length) {
      throw new DBusError('invalid', `the signature "${signature}" wants ${types.length} values, not ${values.length}`);
    }
    for (const [index, type] of types.entries()) this.value(type, values[index] ?? 0);
  }

  value(type: DBusType, value: DBusValue): void {
    switch (type.kind) {
      case 'basic':
        return this.#basic(type.code, value);
      case 'variant':
        return this.#nested(() => this.#variant(value));
      case 'bytes':
        return this.#byteArray(value);
      case 'array':
        return this.#nested(() => this.#array(type.item, value));
      case 'dictionary':
        return this.#nested(() => this.#dictionary(type.key, type.value, value));
      case 'struct':
        return this.#nested(() => this.#struct(type.fields, value));
    }
  }

  align(alignment: number): void {
    this.#reserve(paddingAt(this.#length, alignment));
  }

  /** Overwrites the 32-bit number at byte `at`, for a length that is known only at the end. */
  patchUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, this.#isLittle);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** What was written; of no further use to the writer. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #basic(code: BasicCode, value: DBusValue): void {
    const fixed = FIXED_TYPES[code];
    if (!fixed) return this.#text(code, value);
    this.align(fixed.size);
    const at = this.#reserve(fixed.size);
    if (!fixed.set(this.#view, at, value, this.#isLittle)) throw misfit(code, value);
  }

  #text(code: BasicCode, value: DBusValue): void {
    if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) throw misfit(code, value);
    if (code === 'o' && !isObjectPath(value)) throw misfit(code, value);
    if (code === 'g') parseSignature(value);
    const size = Buffer.byteLength(value);
    if (code === 'g') this.raw(Uint8Array.of(size));
    else this.#uint32(size);
    // One byte more than the text: the zero at its end, which a fresh buffer holds.
    const at = this.#reserve(size + 1);
    this.#bytes.write(value, at, 'utf8');
  }

  #variant(value: DBusValue): void {
    if (!isVariant(value)) throw misfit('v', value);
    this.#text('g', value.signature);
    this.value(parseSingleType(value.signature), value.value);
  }

  #byteArray(value: DBusValue): void {
    if (!(value instanceof Uint8Array)) throw misfit('ay', value);
    if (value.length > MAX_ARRAY_BYTES) throw new DBusError('too-long', `an array of ${value.length} bytes`);
    this.#uint32(value.length);
    this.raw(value);
  }

  #array(item: DBusType, value: DBusValue): void {
    if (!isList(value)) throw misfit('an array', value);
    this.#counted(alignmentOf(item), () => {
      for (const each of value) this.value(item, each);
    });
  }

  #dictionary(key: DBusType, item: DBusType, value: DBusValue): void {
    if (!(value instanceof Map)) throw misfit('a dictionary', value);
    const entries: ReadonlyMap<DBusValue, DBusValue> = value;
    this.#counted(8, () => {
      for (const [eachKey, each] of entries) {
        this.align(8);
        this.value(key, eachKey);
        this.value(item, each);
      }
    });
  }

  #struct(fields: readonly DBusType[], value: DBusValue): void {
    if (!isList(value) || value.length !== fields.length) throw misfit(`a struct of ${fields.length} fields`, value);
    this.align(8);
    for (const [index, field] of fields.entries()) this.value(field, value[index] ?? 0);
  }

  /** The length in front of an array does not count the padding before its first item. */
  #counted(itemAlignment: number, write: () => void): void {
    this.#uint32(0);
    const at = this.#length - 4;
    this.align(itemAlignment);
    const start = this.#length;
    write();
    const size = this.#length - start;
    if (size > MAX_ARRAY_BYTES) throw new DBusError('too-long', `an array of ${size} bytes`);
    this.patchUint32(at, size);
  }

  #uint32(value: number): void {
    this.align(4);
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, this.#isLittle);
  }

  #nested(write: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new DBusError('too-deep', `values nest more than ${MAX_DEPTH} levels`);
    write();
    this.#depth -= 1;
  }

  #reserve(size: number): number {
    const at = this.#length;
    const end = at + size;
    if (end > this.#bytes.length) this.#grow(end);
    this.#length = end;
    return at;
  }

  #grow(atLeast: number): void {
    const larger = Buffer.alloc(Math.max(atLeast, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isList(value: DBusValue): value is readonly DBusValue[] {
  return Array.isArray(value);
}

function misfit(wanted: string, value: DBusValue): DBusError {
  const shown = typeof value === 'object' ? 'an object' : `${typeof value} ${String(value).slice(0, 40)}`;
  return new DBusError('out-of-range', `${shown} is not a value of the type ${wanted}`);
}
