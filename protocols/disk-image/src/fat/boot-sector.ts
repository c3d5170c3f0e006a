import { crc32 } from 'node:zlib';

import { COPIES, RESERVED_SECTORS, SECTOR_BYTES, SECTORS_PER_TRACK, type FatGeometry } from './fat-geometry.ts';

const FIXED_DISK = 0xf8;
const HEADS = 64;
const EXTENDED = 0x29;

/** The first sector, which says how the rest is laid out. */
export function bootSector(geometry: FatGeometry, label: string): Buffer {
  const sector = Buffer.alloc(SECTOR_BYTES);
  // A jump to itself: nothing boots from here.
  Buffer.from([0xeb, 0xfe, 0x90]).copy(sector);
  sector.write('SMALT   ', 3, 'latin1');
  sector.writeUInt16LE(SECTOR_BYTES, 11);
  sector[13] = geometry.sectorsPerCluster;
  sector.writeUInt16LE(RESERVED_SECTORS, 14);
  sector[16] = COPIES;
  sector.writeUInt16LE(geometry.rootEntries, 17);
  const isSmall = geometry.totalSectors < 0x1_00_00;
  sector.writeUInt16LE(isSmall ? geometry.totalSectors : 0, 19);
  sector[21] = FIXED_DISK;
  sector.writeUInt16LE(geometry.fatSectors, 22);
  sector.writeUInt16LE(SECTORS_PER_TRACK, 24);
  sector.writeUInt16LE(HEADS, 26);
  sector.writeUInt32LE(isSmall ? 0 : geometry.totalSectors, 32);
  sector[36] = 0x80;
  sector[38] = EXTENDED;
  sector.writeUInt32LE(crc32(label), 39);
  sector.write(label.padEnd(11), 43, 'latin1');
  sector.write(`FAT${geometry.bits}   `, 54, 'latin1');
  sector[510] = 0x55;
  sector[511] = 0xaa;
  return sector;
}

/** The table of chains: each cluster names the next of its file, from `first` on, as many as it has. */
export function allocationTable(
  { bits, fatSectors }: FatGeometry,
  chains: readonly { readonly first: number; readonly count: number }[],
): Buffer {
  const last = bits === 12 ? 0xf_ff : 0xff_ff;
  const table = Buffer.alloc(fatSectors * SECTOR_BYTES);
  const put = (cluster: number, value: number): void => {
    if (bits === 16) return void table.writeUInt16LE(value, cluster * 2);
    const offset = Math.floor(cluster * 1.5);
    const before = table.readUInt16LE(offset);
    table.writeUInt16LE(cluster % 2 === 0 ? (before & 0xf0_00) | value : (before & 0xf) | (value << 4), offset);
  };
  put(0, (last & 0xff_00) | FIXED_DISK);
  put(1, last);
  for (const { first, count } of chains) {
    for (let at = 0; at < count; at += 1) put(first + at, at === count - 1 ? last : first + at + 1);
  }
  return table;
}
