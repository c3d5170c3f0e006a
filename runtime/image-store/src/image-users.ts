import { createHash } from 'node:crypto';
import { link, lstat, mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { hasCode } from './file-error.ts';

/**
 * Shows an image at a path and notes the path. A hard link keeps the image even when the store is gone; across file
 * systems it is a symbolic one.
 */
export async function showImage(users: string, blob: string, path: string): Promise<void> {
  await mkdir(users, { recursive: true });
  const note = join(users, noteName(blob, path));
  // The note comes first: one without its path is no user, but a path without its note would not be seen.
  await symlink(path, note).catch(unless('EEXIST'));
  await linkTo(blob, path);
}

/** The paths that an image shows at, of all that were noted; notes of paths that are gone are forgotten. */
export async function usersOf(users: string, blobName: string): Promise<readonly string[]> {
  const notes = (await readdir(users).catch(unless('ENOENT')))?.filter((name) => name.startsWith(`${blobName}-`)) ?? [];
  const paths: string[] = [];
  for (const note of notes) {
    const path = await readlink(join(users, note)).catch(unless('ENOENT'));
    if (path === undefined) continue;
    if (await lstat(path).catch(unless('ENOENT', 'ENOTDIR'))) paths.push(path);
    else await rm(join(users, note), { force: true });
  }
  return paths;
}

async function linkTo(blob: string, path: string): Promise<void> {
  const wanted = await stat(blob);
  const present = await stat(path).catch(unless('ENOENT'));
  if (present?.ino === wanted.ino && present.dev === wanted.dev) return;
  // What is there is another image, or a link to one that is gone.
  await rm(path, { force: true });
  try {
    await link(blob, path);
  } catch (error) {
    if (!hasCode(error, 'EXDEV', 'EMLINK', 'EPERM')) throw error;
    await symlink(blob, path);
  }
}

function noteName(blob: string, path: string): string {
  const name = blob.slice(blob.lastIndexOf('/') + 1);
  return `${name}-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  };
}
