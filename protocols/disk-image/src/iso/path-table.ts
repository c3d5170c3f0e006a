import type { IsoDirectory } from './iso-tree.ts';

/** All directories by number, in one of the two byte orders. */
export function pathTable(
  directories: readonly IsoDirectory[],
  sectorOf: (index: number) => number,
  order: 'little' | 'big',
): Buffer {
  return Buffer.concat(
    directories.map(({ identifier, parent }, index) => {
      const record = Buffer.alloc(8 + identifier.length + (identifier.length % 2));
      record[0] = identifier.length;
      if (order === 'little') {
        record.writeUInt32LE(sectorOf(index), 2);
        record.writeUInt16LE(parent + 1, 6);
      } else {
        record.writeUInt32BE(sectorOf(index), 2);
        record.writeUInt16BE(parent + 1, 6);
      }
      identifier.copy(record, 8);
      return record;
    }),
  );
}
