import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether everybody may read a file below a directory. */
export async function isReadableByAll(directory: string, path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o004) === 0) return false;
  for (let above = dirname(path); above.startsWith(directory); above = dirname(above)) {
    if (((await stat(above)).mode & 0o001) === 0) return false;
  }
  return true;
}
