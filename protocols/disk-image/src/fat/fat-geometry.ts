import { DiskImageError } from '../disk-image-error.ts';

export const SECTOR_BYTES = 512;
export const RESERVED_SECTORS = 1;
export const COPIES = 2;
export const SECTORS_PER_TRACK = 32;
/** Readers tell FAT12 from FAT16 by the number of clusters alone, not all by the same; so none are near this number. */
const FAT16_CLUSTERS = 4085;
const MARGIN = 48;
const MAX_CLUSTERS = 65_000;
const MAX_ROOT_ENTRIES = 65_520;

export interface FatGeometry {
  readonly bits: 12 | 16;
  readonly sectorsPerCluster: number;
  readonly clusterBytes: number;
  readonly rootEntries: number;
  readonly fatSectors: number;
  readonly firstDataSector: number;
  readonly totalSectors: number;
}

/** The smallest disk that holds a root of that size and contents of those sizes, each in clusters of its own. */
export function planGeometry(rootBytes: number, contentBytes: readonly number[]): FatGeometry {
  const rootEntries = Math.ceil(rootBytes / SECTOR_BYTES) * (SECTOR_BYTES / 32);
  if (rootEntries > MAX_ROOT_ENTRIES) {
    throw new DiskImageError('too-large', `The root of a FAT disk holds ${MAX_ROOT_ENTRIES} entries; use fewer files`);
  }
  const sectorsPerCluster = [1, 2, 4, 8, 16, 32, 64].find(
    (sectors) => clustersFor(contentBytes, sectors * SECTOR_BYTES) < MAX_CLUSTERS,
  );
  if (sectorsPerCluster === undefined) throw new DiskImageError('too-large', 'The files do not fit on a FAT disk');
  const clusterBytes = sectorsPerCluster * SECTOR_BYTES;
  const needed = clustersFor(contentBytes, clusterBytes) + 1;
  const isNearBorder = Math.abs(needed - FAT16_CLUSTERS) < MARGIN;
  const clusters = isNearBorder ? FAT16_CLUSTERS + MARGIN : needed;
  const bits = clusters < FAT16_CLUSTERS ? 12 : 16;
  // Rounding the size up to whole tracks adds clusters, and they are counted too.
  const fatSectors = Math.ceil(((clusters + 2 + SECTORS_PER_TRACK) * bits) / 8 / SECTOR_BYTES);
  const firstDataSector = RESERVED_SECTORS + COPIES * fatSectors + (rootEntries * 32) / SECTOR_BYTES;
  const totalSectors =
    Math.ceil((firstDataSector + clusters * sectorsPerCluster) / SECTORS_PER_TRACK) * SECTORS_PER_TRACK;
  return { bits, sectorsPerCluster, clusterBytes, rootEntries, fatSectors, firstDataSector, totalSectors };
}

function clustersFor(contentBytes: readonly number[], clusterBytes: number): number {
  return contentBytes.reduce((sum, bytes) => sum + Math.ceil(bytes / clusterBytes), 0);
}
