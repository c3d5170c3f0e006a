import { KubernetesApiError } from './kubernetes-api-error.ts';

/** How a field is laid out: a varint, eight bytes, bytes with a length, a group (begin and end), four bytes. */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

const MAX_GROUP_DEPTH = 100;

/** Walks through the fields of one message. Throws a KubernetesApiError `malformed` rather than read past the end. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #position: number;
  #wireType = 0;

  constructor(bytes: Buffer, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = end;
  }

  /** The number of the next field; undefined at the end. Its value must be read or skipped before the next one. */
  nextField(): number | undefined {
    if (this.#position >= this.#end) return undefined;
    const tag = this.#smallVarint();
    this.#wireType = tag & 7;
    const number = tag >>> 3;
    if (number === 0) throw malformed('a field has the number 0');
    return number;
  }

  /** A varint as a signed 64-bit integer: a number where that is exact, else a bigint. */
  readInteger(): number | bigint {
    this.#expect(WireType.varint);
    const value = BigInt.asIntN(64, this.#varint());
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  readInt32(): number {
    this.#expect(WireType.varint);
    return Number(BigInt.asIntN(32, this.#varint()));
  }

  readBool(): boolean {
    this.#expect(WireType.varint);
    return this.#varint() !== 0n;
  }

  readDouble(): number {
    this.#expect(WireType.fixed64);
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  readText(): string {
    const [start, end] = this.#range();
    return this.#bytes.toString('utf8', start, end);
  }

  /** A view of the bytes, not a copy. */
  readBytes(): Buffer {
    const [start, end] = this.#range();
    return this.#bytes.subarray(start, end);
  }

  /** A reader of the message that the field holds. */
  readMessage(): ProtobufReader {
    const [start, end] = this.#range();
    return new ProtobufReader(this.#bytes, start, end);
  }

  skip(depth = 0): void {
    const wireType = this.#wireType;
    if (wireType === WireType.varint) this.#varint();
    else if (wireType === WireType.fixed64) this.#take(8);
    else if (wireType === WireType.bytes) this.#range();
    else if (wireType === WireType.fixed32) this.#take(4);
    else if (wireType === WireType.groupStart && depth < MAX_GROUP_DEPTH) this.#skipGroup(depth);
    else throw malformed(`a field has the wire type ${wireType}`);
  }

  #skipGroup(depth: number): void {
    for (;;) {
      if (this.nextField() === undefined) throw malformed('a group does not end');
      if (this.#wireType === WireType.groupEnd) return;
      this.skip(depth + 1);
    }
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType) {
      throw malformed(`a field has the wire type ${this.#wireType} where ${wireType} was expected`);
    }
  }

  #range(): readonly [number, number] {
    this.#expect(WireType.bytes);
    const start = this.#take(this.#smallVarint(), true);
    return [start, this.#position];
  }

  /** Moves on by so many bytes and returns where they start. */
  #take(length: number, isAfterLength = false): number {
    const start = this.#position;
    if (length > this.#end - start)
      throw malformed(isAfterLength ? 'a length goes past the end' : 'a value is cut off');
    this.#position = start + length;
    return start;
  }

  #smallVarint(): number {
    const value = this.#varint();
    if (value > 0xffff_ffffn) throw malformed('a tag or a length is too large');
    return Number(value);
  }

  #varint(): bigint {
    // Nearly all varints are tags, lengths and small numbers: one to four bytes need no bigint arithmetic.
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed('a varint has more than ten bytes');
  }

  #byte(): number {
    if (this.#position >= this.#end) throw malformed('a varint is cut off');
    return this.#bytes[this.#position++] ?? 0;
  }
}

export function malformed(what: string): KubernetesApiError {
  return new KubernetesApiError('malformed', `malformed protobuf: ${what}`);
}
