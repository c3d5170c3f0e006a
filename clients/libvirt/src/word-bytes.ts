import { XdrError, type XdrReader, type XdrWriter } from '@smalt/xdr';

// libvirt declares a few byte arrays as `char`, which XDR carries as one 32-bit word per byte. Daemons sign-extend
// the byte or do not, depending on their processor.

/** Reads a counted run of at most `max` bytes that take a word each. */
export function readWordBytes(reader: XdrReader, max: number): Uint8Array {
  return readWords(reader, reader.arrayLength(max, 4));
}

/** Writes a counted run of at most `max` bytes, a word for each. */
export function writeWordBytes(writer: XdrWriter, bytes: Uint8Array, max: number): void {
  writer.arrayLength(bytes.length, max);
  for (const byte of bytes) writer.uint32(byte);
}

/** Reads text from a counted run of at most `max` words, up to its first NUL. */
export function readText(reader: XdrReader, max: number): string {
  return textOf(readWords(reader, reader.arrayLength(max, 4)));
}

/** Reads text from exactly `size` words, up to its first NUL. */
export function readFixedText(reader: XdrReader, size: number): string {
  return textOf(readWords(reader, size));
}

function readWords(reader: XdrReader, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count);
  for (let index = 0; index < count; index++) {
    const word = reader.int32();
    if (word < -128 || word > 255) throw new XdrError('invalid', `${word} is not a byte`);
    bytes[index] = word;
  }
  return bytes;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
