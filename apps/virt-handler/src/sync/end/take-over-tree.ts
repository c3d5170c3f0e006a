import type { Dirent } from 'node:fs';
import { chmod, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { unless } from '../../storage/files/file-error.ts';

/**
 * Takes a directory, and all that are in it, from the account of a guest, from the top down. Whoever then removes it by
 * path is led nowhere else: nobody can put a link in the place of a directory any more, not even who has it open.
 */
export async function takeOverTree(directory: string): Promise<void> {
  const entries = await takeOver(directory).catch(unless('ENOENT'));
  for (const entry of entries ?? []) {
    if (entry.isDirectory()) await takeOverTree(join(directory, entry.name));
  }
}

async function takeOver(directory: string): Promise<readonly Dirent[]> {
  await lchown(directory, process.geteuid?.() ?? 0, process.getegid?.() ?? 0);
  await chmod(directory, 0o700);
  return await readdir(directory, { withFileTypes: true });
}
