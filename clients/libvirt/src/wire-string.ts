import { XdrError, type XdrWriter } from '@smalt/xdr';

/** The most bytes that libvirt takes as one string. */
export const STRING_MAX = 4_194_304;

/** Writes a string. Refuses one with a NUL inside: the daemon, written in C, would take it for its end. */
export function writeString(writer: XdrWriter, value: string): void {
  if (value.includes('\0')) throw new XdrError('invalid', 'a string with a NUL in it would be cut off there');
  writer.string(value, STRING_MAX);
}
