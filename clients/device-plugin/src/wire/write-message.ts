type FieldValue = string | boolean | number | Uint8Array;
/** The number of a field, and its value. A field that repeats is listed as often as it does. */
export type Field = readonly [number, FieldValue];

const VARINT = 0;
const BYTES = 2;

/** A protobuf message. Of fields that hold nothing only messages are written, as proto3 does it. */
export function writeMessage(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([number, value]) => writeField(number, value)));
}

/** A map of texts: to protobuf a repeated message of key and value. */
export function mapFields(number: number, entries: Readonly<Record<string, string>> = {}): readonly Field[] {
  return Object.entries(entries).map(([key, value]) => [
    number,
    writeMessage([
      [1, key],
      [2, value],
    ]),
  ]);
}

/** A repeated text; unlike a single one, an empty text counts. */
export function textFields(number: number, texts: readonly string[]): readonly Field[] {
  return texts.map((text) => [number, Buffer.from(text)]);
}

function writeField(number: number, value: FieldValue): readonly Buffer[] {
  if (value === '' || value === 0 || value === false) return [];
  if (typeof value === 'string') return writeField(number, Buffer.from(value));
  if (typeof value === 'boolean') return writeField(number, Number(value));
  if (typeof value === 'number') return [tag(number, VARINT), varint(BigInt(value))];
  return [tag(number, BYTES), varint(BigInt(value.length)), Buffer.from(value)];
}

function tag(number: number, wireType: number): Buffer {
  return varint(BigInt((number << 3) | wireType));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  // Negative numbers are written as the unsigned ones with the same 64 bits.
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
