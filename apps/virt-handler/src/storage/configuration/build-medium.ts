import { buildFatImage, buildIsoImage, DiskImageError, type ImageFile } from '@smalt/disk-image';

import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

export interface Medium {
  readonly label: string;
  readonly files: readonly ImageFile[];
  /** The field that the files come from, such as `configMap.name`. */
  readonly subfield: string;
}

/** A medium with files: an ISO 9660 image, or a FAT disk where the hypervisor takes no ISO. */
export function buildMedium(request: VolumeRequest, { label, files, subfield }: Medium): Uint8Array {
  try {
    return request.hypervisor.supportsIso ? buildIsoImage({ label, files }) : buildFatImage({ label, files });
  } catch (error) {
    if (!(error instanceof DiskImageError)) throw error;
    throw volumeError('bad-volume', request, subfield, { message: error.message, cause: error });
  }
}
