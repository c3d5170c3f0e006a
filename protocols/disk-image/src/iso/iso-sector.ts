/** The block of ISO 9660. */
export const SECTOR_BYTES = 2048;

export function sectorsFor(bytes: number): number {
  return Math.ceil(bytes / SECTOR_BYTES);
}
