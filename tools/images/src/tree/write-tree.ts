import { chmod, lutimes, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FileTree } from './file-tree.ts';

/** Writes a tree into a directory, which is emptied first, with the times that an archive of it has. */
export async function writeTree(target: string, tree: FileTree): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  for (const [path, entry] of tree) {
    const place = join(target, path);
    if (entry.kind === 'link') await symlink(entry.target, place);
    else if (entry.kind === 'file') await writeFile(place, entry.content);
    else await mkdir(place);
    // Not when it is made: the mask of this process would take bits away.
    if (entry.kind !== 'link') await chmod(place, entry.mode);
  }
  // At the end: a directory has another time after each file that was put into it.
  for (const [path, { modified }] of tree) await lutimes(join(target, path), modified, modified);
}
