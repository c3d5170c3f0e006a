import { DiskImageError } from '../disk-image-error.ts';

/** What a file is, told by its first bytes. */
export interface DiskImageDescription {
  readonly format: 'raw' | 'qcow2';
  /** The size of the disk that the guest sees. */
  readonly virtualSizeBytes: number;
}

/** How much of the beginning of a file `describeDiskImage` wants to see. */
export const IMAGE_HEAD_BYTES = 512;

const QCOW2_MAGIC = 0x51_46_49_fb;
const SECTOR_BYTES = 512;
/** Bits of the features that a reader must know: dirty, corrupt, external data, compression, long entries. */
const FEATURE = { dirty: 1n, corrupt: 2n, externalData: 4n, compression: 8n, extendedEntries: 16n } as const;
const KNOWN_FEATURES = 31n;

/** Formats that people have and that are neither raw nor qcow2, by what they begin with. */
const FOREIGN: readonly (readonly [signature: string, name: string, remedy: string])[] = [
  ['\x1f\x8b', 'compressed with gzip', 'unpack it first'],
  ['\xfd7zXZ\0', 'compressed with xz', 'unpack it first'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', 'unpack it first'],
  ['BZh', 'compressed with bzip2', 'unpack it first'],
  ['KDMV', 'a VMDK image', 'convert it with qemu-img convert -O qcow2'],
  ['COWD', 'a VMDK image', 'convert it with qemu-img convert -O qcow2'],
  ['# Disk DescriptorFile', 'a VMDK image', 'convert it with qemu-img convert -O qcow2'],
  ['vhdxfile', 'a VHDX image', 'convert it with qemu-img convert -O qcow2'],
  ['conectix', 'a VHD image', 'convert it with qemu-img convert -O qcow2'],
  ['QED\0', 'a QED image', 'convert it with qemu-img convert -O qcow2'],
  ['<<< ', 'a VDI image', 'convert it with qemu-img convert -O qcow2'],
];

/**
 * Tells raw images from qcow2 by content. Refuses what no guest can run from, and every qcow2 that names another file:
 * whoever wrote it could make the host read that file for a guest.
 */
export function describeDiskImage(head: Uint8Array, fileSizeBytes: number): DiskImageDescription {
  if (fileSizeBytes === 0) throw new DiskImageError('unsupported-image', 'The file is empty');
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length >= 4 && view.getUint32(0) === QCOW2_MAGIC) return describeQcow2(view);
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const foreign = FOREIGN.find(([signature]) => text.startsWith(signature));
  if (foreign) throw new DiskImageError('unsupported-image', `The file is ${foreign[1]}; ${foreign[2]}`);
  return { format: 'raw', virtualSizeBytes: Math.ceil(fileSizeBytes / SECTOR_BYTES) * SECTOR_BYTES };
}

function describeQcow2(view: DataView): DiskImageDescription {
  if (view.byteLength < 104) throw new DiskImageError('damaged-image', 'The file ends within the header of a qcow2');
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) {
    throw new DiskImageError('unsupported-image', `The file is a qcow2 of version ${version}; 2 and 3 can be used`);
  }
  if (view.getBigUint64(8) !== 0n) {
    const remedy = 'flatten it with qemu-img convert -O qcow2';
    throw new DiskImageError('unsupported-image', `The qcow2 rests on another file; ${remedy}`);
  }
  if (view.getUint32(32) !== 0) {
    throw new DiskImageError('unsupported-image', 'The qcow2 is encrypted; convert it without encryption');
  }
  if (version === 3) checkFeatures(view.getBigUint64(72));
  const size = view.getBigUint64(24);
  if (size === 0n || size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DiskImageError('damaged-image', `The qcow2 says that its disk has ${size} bytes`);
  }
  return { format: 'qcow2', virtualSizeBytes: Number(size) };
}

function checkFeatures(features: bigint): void {
  if ((features & FEATURE.externalData) !== 0n) {
    const remedy = 'flatten it with qemu-img convert -O qcow2';
    throw new DiskImageError('unsupported-image', `The qcow2 has its data in another file; ${remedy}`);
  }
  if ((features & FEATURE.corrupt) !== 0n) {
    throw new DiskImageError('damaged-image', 'The qcow2 is marked as damaged; repair it with qemu-img check -r all');
  }
  if ((features & ~KNOWN_FEATURES) !== 0n) {
    throw new DiskImageError('unsupported-image', 'The qcow2 uses features that are not known; convert it anew');
  }
}
