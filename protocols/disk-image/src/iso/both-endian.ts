/** A number of 16 bits, once in each order, as ISO 9660 wants it. */
export function bothEndian16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value, 0);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}

/** A number of 32 bits, once in each order. */
export function bothEndian32(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  bytes.writeUInt32BE(value, 4);
  return bytes;
}
