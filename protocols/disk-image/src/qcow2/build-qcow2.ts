import { DiskImageError } from '../disk-image-error.ts';

export interface Qcow2Options {
  readonly virtualSizeBytes: number;
  /** What is read where nothing was written yet. Paths are kept as they are. */
  readonly backing?: { readonly path: string; readonly format: 'raw' | 'qcow2' } | undefined;
}

const CLUSTER_BITS = 16;
const CLUSTER_BYTES = 1 << CLUSTER_BITS;
const HEADER_BYTES = 104;
const SECTOR_BYTES = 512;
/** What one entry of the first table stands for: a cluster of entries for clusters. */
const L1_SPAN_BYTES = (CLUSTER_BYTES / 8) * CLUSTER_BYTES;
const MAX_VIRTUAL_BYTES = 64 * 2 ** 40;
const MAX_BACKING_PATH_BYTES = 1023;
const BACKING_FORMAT = 0xe2_79_2a_ca;
const REFERENCE_BITS_ORDER = 4;
const REFERENCE_TABLE = 1;
const REFERENCE_BLOCK = 2;
const L1_TABLE = 3;

/** The whole of a qcow2 image that nothing was written to yet; a few hundred KiB at most. Equal input, equal bytes. */
export function buildQcow2({ virtualSizeBytes, backing }: Qcow2Options): Uint8Array {
  if (!Number.isSafeInteger(virtualSizeBytes) || virtualSizeBytes <= 0 || virtualSizeBytes > MAX_VIRTUAL_BYTES) {
    throw new DiskImageError('invalid-size', `A disk cannot have ${virtualSizeBytes} bytes; use 1 to 64 TiB`);
  }
  const size = Math.ceil(virtualSizeBytes / SECTOR_BYTES) * SECTOR_BYTES;
  const l1Entries = Math.ceil(size / L1_SPAN_BYTES);
  const clusters = L1_TABLE + Math.ceil((l1Entries * 8) / CLUSTER_BYTES);
  const image = Buffer.alloc(clusters * CLUSTER_BYTES);
  writeHeader(image, size, l1Entries);
  if (backing) writeBacking(image, backing);
  image.writeBigUInt64BE(BigInt(REFERENCE_BLOCK * CLUSTER_BYTES), REFERENCE_TABLE * CLUSTER_BYTES);
  // Every cluster of the file is counted, once.
  for (let index = 0; index < clusters; index += 1) image.writeUInt16BE(1, REFERENCE_BLOCK * CLUSTER_BYTES + index * 2);
  return image;
}

function writeHeader(image: Buffer, size: number, l1Entries: number): void {
  image.writeUInt32BE(0x51_46_49_fb, 0);
  image.writeUInt32BE(3, 4);
  image.writeUInt32BE(CLUSTER_BITS, 20);
  image.writeBigUInt64BE(BigInt(size), 24);
  image.writeUInt32BE(l1Entries, 36);
  image.writeBigUInt64BE(BigInt(L1_TABLE * CLUSTER_BYTES), 40);
  image.writeBigUInt64BE(BigInt(REFERENCE_TABLE * CLUSTER_BYTES), 48);
  image.writeUInt32BE(1, 56);
  image.writeUInt32BE(REFERENCE_BITS_ORDER, 96);
  image.writeUInt32BE(HEADER_BYTES, 100);
}

function writeBacking(image: Buffer, { path, format }: NonNullable<Qcow2Options['backing']>): void {
  const name = Buffer.from(path);
  if (name.length === 0 || name.length > MAX_BACKING_PATH_BYTES || path.includes('\0')) {
    throw new DiskImageError(
      'invalid-path',
      `The path of what lies under a qcow2 has 1 to ${MAX_BACKING_PATH_BYTES} bytes`,
    );
  }
  // An extension has its kind, its length, and its bytes up to a multiple of eight; one of kind 0 is the last.
  image.writeUInt32BE(BACKING_FORMAT, HEADER_BYTES);
  image.writeUInt32BE(format.length, HEADER_BYTES + 4);
  image.write(format, HEADER_BYTES + 8, 'latin1');
  const nameOffset = HEADER_BYTES + 8 + 8 + 8;
  name.copy(image, nameOffset);
  image.writeBigUInt64BE(BigInt(nameOffset), 8);
  image.writeUInt32BE(name.length, 16);
}
