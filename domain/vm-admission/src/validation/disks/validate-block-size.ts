import type { CustomBlockSize, Disk } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import { diskTarget } from './disk-target.ts';

const LEAST = 512;
const MOST = 2_097_152;

/** Blocks have a size that devices can have, and is given or taken from the volume, not both. */
export function validateBlockSize(disk: Disk, diskField: string): readonly Cause[] {
  const { custom, matchVolume } = disk.blockSize ?? {};
  const field = `${diskField}.blockSize`;
  if (custom === undefined) return [];
  if (matchVolume !== undefined && matchVolume.enabled !== false) {
    return [invalid(field, "Block size matching can't be enabled together with a custom value")];
  }
  const mismatch = mismatchOf(custom, disk);
  if (mismatch !== undefined) return [invalid(`${field}.custom.${mismatch.part}`, mismatch.message)];
  return [
    ...validateSize(custom.logical ?? 0, `${field}.custom.logical`),
    ...validateSize(custom.physical ?? 0, `${field}.custom.physical`),
  ];
}

function mismatchOf(
  { logical = 0, physical = 0, discardGranularity }: CustomBlockSize,
  disk: Disk,
): { readonly part: keyof CustomBlockSize; readonly message: string } | undefined {
  if (logical > physical) {
    const message = `Logical size ${logical} must be the same or less than the physical size of ${physical}`;
    return { part: 'logical', message };
  }
  // The emulated controller has no other size: https://gitlab.com/qemu-project/qemu, hw/ide/ide-dev.c
  if (diskTarget(disk)?.bus === 'sata' && logical !== LEAST) {
    return { part: 'logical', message: `Logical size ${logical} must be ${LEAST} for SATA devices` };
  }
  if (discardGranularity !== undefined && logical !== 0 && discardGranularity % logical !== 0) {
    const message = `Discard granularity ${discardGranularity} must be multiples of logical size ${logical}`;
    return { part: 'discardGranularity', message };
  }
  return undefined;
}

function validateSize(size: number, field: string): readonly Cause[] {
  if (size < LEAST) {
    return [invalid(field, `Provided size of ${size} is less than the supported minimum size of ${LEAST}`)];
  }
  if (size > MOST) {
    return [invalid(field, `Provided size of ${size} is greater than the supported maximum size of ${MOST}`)];
  }
  return Number.isInteger(Math.log2(size)) ? [] : [invalid(field, `Provided size of ${size} is not a power of 2`)];
}
