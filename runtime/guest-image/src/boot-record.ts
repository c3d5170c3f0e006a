const SECTOR_BYTES = 512;
const TABLE_OFFSET = 446;
const LINUX = 0x83;
const ACTIVE = 0x80;
/** In place of cylinders, heads and sectors that no disk has had for long. */
const NO_GEOMETRY = Buffer.from([0xfe, 0xff, 0xff]);

/** The first sector of a disk: the code of a boot loader, and one partition from byte to byte. */
export function bootRecord(code: Uint8Array, partition: { readonly start: number; readonly end: number }): Buffer {
  const sector = Buffer.alloc(SECTOR_BYTES);
  // GRUB's own sector has code for floppies where the table of a disk is.
  sector.set(code.subarray(0, TABLE_OFFSET));
  const entry = sector.subarray(TABLE_OFFSET, TABLE_OFFSET + 16);
  entry[0] = ACTIVE;
  NO_GEOMETRY.copy(entry, 1);
  entry[4] = LINUX;
  NO_GEOMETRY.copy(entry, 5);
  entry.writeUInt32LE(partition.start / SECTOR_BYTES, 8);
  entry.writeUInt32LE((partition.end - partition.start) / SECTOR_BYTES, 12);
  sector[510] = 0x55;
  sector[511] = 0xaa;
  return sector;
}
