import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isVolumeName } from './volume-name.ts';
import { volumesDirectory } from './volume-files.ts';

/**
 * Removes what lies in the directory of an instance for these volumes, and for no others. What they lead to elsewhere
 * stays.
 */
export async function removeVolumeFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter(isVolumeName)) {
    await rm(join(volumesDirectory(directory), name), { recursive: true, force: true });
  }
}
