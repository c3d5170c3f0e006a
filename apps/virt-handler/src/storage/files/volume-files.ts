import { join } from 'node:path';

import type { ReleaseRequest } from '../volume-plugin.ts';
import { requireVolumeName } from './volume-name.ts';

/** The directory of all files of volumes; it goes with that of the instance. */
export function volumesDirectory(directory: string): string {
  return join(directory, 'volumes');
}

/**
 * A file of one volume. The path is the same on every node, so a guest that comes from another finds it there. Throws `bad-volume`
 * for a name that would lead elsewhere.
 */
export function volumeFile(request: ReleaseRequest, name: string): string {
  requireVolumeName(request);
  return join(volumesDirectory(request.directory), request.volume.name, name);
}
