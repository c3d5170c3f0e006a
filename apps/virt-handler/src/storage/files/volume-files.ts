import { join } from 'node:path';

import type { ReleaseRequest } from '../volume-plugin.ts';

/** The directory of all files of volumes; it goes with that of the instance. */
export function volumesDirectory(directory: string): string {
  return join(directory, 'volumes');
}

/** A file of one volume. The path is the same on every node, so a guest that comes from another finds it there. */
export function volumeFile({ directory, volume }: Pick<ReleaseRequest, 'directory' | 'volume'>, name: string): string {
  return join(volumesDirectory(directory), volume.name, name);
}
