import { constants } from 'node:fs';
import { copyFile, lstat, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import { ensureDirectory } from './ensure-file.ts';
import { unless, writeError } from './file-error.ts';

/** So much is left for others. */
const KEPT_BYTES = 64 * 1024 ** 2;

/**
 * A copy that appears whole or not at all; one that is there is kept. Guests that run here need the room too, for they stand
 * still when none is left: where there is too little, nothing is copied, and the error that is made of the reason is thrown.
 */
export async function copyOnce(source: string, path: string, fullError: (reason: string) => Error): Promise<void> {
  if (await lstat(path).catch(unless('ENOENT'))) return;
  const directory = dirname(path);
  await ensureDirectory(directory);
  // Holes are filled by the copy, so what the file says of its size counts.
  const { size } = await stat(source);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize - size < KEPT_BYTES) {
    throw fullError(`${directory} has no room for ${size} bytes more; make room on the node`);
  }
  const growing = `${path}.growing`;
  try {
    await copyFile(source, growing, constants.COPYFILE_FICLONE);
    await rename(growing, path);
  } catch (error) {
    await rm(growing, { force: true });
    throw writeError(error, directory);
  }
}
