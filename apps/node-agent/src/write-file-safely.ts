import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file for its owner alone. Whoever reads it finds the old content or the new one, also after a loss of power;
 * once it resolves, the new one. One writer per file at a time.
 */
export async function writeFileSafely(path: string, content: string): Promise<void> {
  const fresh = `${path}.new`;
  // Left over by a crash, or put there by somebody as a link to elsewhere.
  await rm(fresh, { force: true });
  try {
    await using file = await open(fresh, 'wx', 0o600);
    await file.writeFile(content);
    await file.datasync();
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  // The new name is in the directory only, which is kept by a cache of its own.
  await using directory = await open(dirname(path), 'r');
  await directory.sync();
}
