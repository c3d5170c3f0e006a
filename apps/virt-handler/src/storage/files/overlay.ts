import type { BackingImage, DomainVolume } from '@smalt/domain-xml';
import { buildQcow2, DiskImageError } from '@smalt/disk-image';

import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';
import type { DirectIo } from './direct-io.ts';
import { ensureFile } from './ensure-file.ts';
import { volumeFile } from './volume-files.ts';

export interface OverlayContent {
  readonly virtualSizeBytes: number;
  readonly backing?: BackingImage | undefined;
  /** The field that tells the size. */
  readonly subfield: string;
}

/** A disk in the directory of the instance that takes what the guest writes; what is there from before is kept. */
export async function prepareOverlay(
  directIo: DirectIo,
  request: VolumeRequest,
  { virtualSizeBytes, backing, subfield }: OverlayContent,
): Promise<DomainVolume> {
  const path = volumeFile(request, 'disk.qcow2');
  await ensureFile(path, () => {
    try {
      const under = backing && { path: backing.source.path, format: backing.format };
      return { bytes: buildQcow2({ virtualSizeBytes, backing: under }) };
    } catch (error) {
      if (!(error instanceof DiskImageError)) throw error;
      throw volumeError('bad-volume', request, subfield, { message: error.message, cause: error });
    }
  });
  return {
    name: request.volume.name,
    source: { kind: 'file', path },
    format: 'qcow2',
    backing,
    supportsDirectIo: await directIo.supports(path, ...(backing ? [backing.source.path] : [])),
  };
}
