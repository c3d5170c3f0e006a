import { buildFatImage, buildIsoImage, checkImageFiles, DiskImageError, type ImageFile } from '@smalt/disk-image';

import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

export interface Medium {
  readonly label: string;
  readonly files: readonly ImageFile[];
  /** The field that the files come from, such as `configMap.name`. */
  readonly subfield: string;
}

/** A medium with files: an ISO 9660 image, or a FAT disk where the hypervisor takes no ISO. */
export function buildMedium(request: VolumeRequest, medium: Medium): Uint8Array {
  const { label, files } = medium;
  return explained(request, medium, () =>
    request.hypervisor.supportsIso ? buildIsoImage({ label, files }) : buildFatImage({ label, files }),
  );
}

/** The files of a medium that becomes a directory. Throws `bad-volume` for what no medium can hold, such as a path out of it. */
export function mediumFiles(request: VolumeRequest, medium: Medium): readonly ImageFile[] {
  explained(request, medium, () => checkImageFiles(medium.files));
  return medium.files;
}

function explained<Result>(request: VolumeRequest, { subfield }: Medium, build: () => Result): Result {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof DiskImageError)) throw error;
    throw volumeError('bad-volume', request, subfield, { message: error.message, cause: error });
  }
}
