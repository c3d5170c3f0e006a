import { XdrError, type XdrReader, type XdrWriter } from '@smalt/xdr';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DASH = 45;

/** Reads 16 bytes as a lower-case UUID with dashes. */
export function readUuid(reader: XdrReader): string {
  const a = reader.uint32();
  const b = reader.uint32();
  const c = reader.uint32();
  const d = reader.uint32();
  // Long lists are mostly UUIDs, and one call with all characters is four times as fast as a detour over a Buffer.
  // prettier-ignore
  return String.fromCharCode(
    digit(a, 28), digit(a, 24), digit(a, 20), digit(a, 16), digit(a, 12), digit(a, 8), digit(a, 4), digit(a, 0), DASH,
    digit(b, 28), digit(b, 24), digit(b, 20), digit(b, 16), DASH,
    digit(b, 12), digit(b, 8), digit(b, 4), digit(b, 0), DASH,
    digit(c, 28), digit(c, 24), digit(c, 20), digit(c, 16), DASH,
    digit(c, 12), digit(c, 8), digit(c, 4), digit(c, 0),
    digit(d, 28), digit(d, 24), digit(d, 20), digit(d, 16), digit(d, 12), digit(d, 8), digit(d, 4), digit(d, 0),
  );
}

/** Writes a UUID as 16 bytes. Refuses text that is not a UUID with dashes. */
export function writeUuid(writer: XdrWriter, uuid: string): void {
  if (!CANONICAL.test(uuid)) throw new XdrError('invalid', `'${uuid}' is not a UUID`);
  writer.uint32(Number.parseInt(uuid.slice(0, 8), 16));
  writer.uint32(Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16));
  writer.uint32(Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16));
  writer.uint32(Number.parseInt(uuid.slice(28), 16));
}

function digit(word: number, shift: number): number {
  const value = (word >>> shift) & 15;
  return value < 10 ? 48 + value : 87 + value;
}
