import { WireType } from './protobuf-reader.ts';

const FIRST_SIZE = 512;

/** Writes the fields of messages one after the other into a buffer that grows. */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** What was written so far. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  integer(field: number, value: number | bigint): void {
    this.#tag(field, WireType.varint);
    if (typeof value === 'number' && value >= 0) this.#varint(value);
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
  }

  double(field: number, value: number): void {
    this.#tag(field, WireType.fixed64);
    this.#grow(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  text(field: number, value: string): void {
    this.#tag(field, WireType.bytes);
    const length = Buffer.byteLength(value);
    this.#varint(length);
    this.#grow(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#tag(field, WireType.bytes);
    this.#varint(value.length);
    this.#grow(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Writes a message: `write` adds its fields, then the length is put before them. */
  message(field: number, write: () => void): void {
    this.#tag(field, WireType.bytes);
    const start = this.#length;
    write();
    const length = this.#length - start;
    const room = varintSize(length);
    this.#grow(room);
    this.#bytes.copyWithin(start + room, start, this.#length);
    this.#length = start;
    this.#varint(length);
    this.#length = start + room + length;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#grow(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    this.#grow(10);
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) + 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #grow(room: number): void {
    const needed = this.#length + room;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.finish());
    this.#bytes = larger;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
