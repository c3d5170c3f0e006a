import type { DirectIo } from '../files/direct-io.ts';
import { ensureDirectory } from '../files/ensure-file.ts';
import { mountsVolumes } from '../files/mounts-volumes.ts';
import { prepareOverlay } from '../files/overlay.ts';
import { volumeBytes } from '../files/volume-bytes.ts';
import { volumeFile } from '../files/volume-files.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

/** Disks that are empty at the start and go with the instance. A container gets an empty directory. */
export function emptyDiskPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['emptyDisk'],
    async prepare(request) {
      const subfield = 'emptyDisk.capacity';
      const virtualSizeBytes = volumeBytes(request, subfield, request.volume.emptyDisk?.capacity ?? '');
      if (!mountsVolumes(request)) return prepareOverlay(directIo, request, { virtualSizeBytes, subfield });
      const path = volumeFile(request, 'directory');
      await ensureDirectory(path);
      return {
        name: request.volume.name,
        source: { kind: 'directory', path },
        format: 'raw',
        supportsDirectIo: false,
      };
    },
  };
}
