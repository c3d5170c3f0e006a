const MAGIC = 'SQLite format 3\0';
/** "Smlt": what the stores of our API server are marked with. */
const APPLICATION_ID = 0x536d6c74;

/** How many bytes of a file tell whether it is a store, and a whole one. */
export const STORE_HEAD_BYTES = 100;

/** What is wrong with a copy of a store, by its first bytes and its size; undefined when it is whole. */
export function storeProblem(head: Buffer, size: number): string | undefined {
  if (head.length < STORE_HEAD_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return 'it is no SQLite file';
  if (head.readUInt32BE(68) !== APPLICATION_ID) return 'it is no store of an API server of Smalt';
  // 65,536 does not fit, and is written as 1.
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const expected = pageBytes * head.readUInt32BE(28);
  return size === expected ? undefined : `it has ${size} bytes and not ${expected}`;
}
