import { readFile, stat } from 'node:fs/promises';

const SECTOR_BYTES = 512;

/** The size of a file, or of a block device, which the kernel tells elsewhere. */
export async function diskSizeBytes(path: string): Promise<number> {
  const found = await stat(path, { bigint: true });
  if (!found.isBlockDevice()) return Number(found.size);
  const sectors = await readFile(`/sys/dev/block/${deviceNumber(found.rdev)}/size`, 'latin1');
  return Number(sectors) * SECTOR_BYTES;
}

/** A device as the kernel writes it, such as `8:16`. */
export function deviceNumber(device: bigint): string {
  const major = ((device >> 8n) & 0xf_ffn) | ((device >> 32n) & 0xff_ff_f0_00n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xff_ff_ff_00n);
  return `${major}:${minor}`;
}
