import { parseQuantity, QuantityError, quantityValue } from '@smalt/quantity';

import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** A size in bytes. Throws `bad-volume` with the field for what is no size. */
export function volumeBytes(request: VolumeRequest, subfield: string, value: number | string): number {
  try {
    const bytes = quantityValue(parseQuantity(String(value)));
    if (bytes > 0n && bytes <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(bytes);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
  }
  const message = `"${String(value).slice(0, 40)}" is no size of a disk; write it like 512Mi or 4Gi`;
  throw volumeError('bad-volume', request, subfield, { message });
}
