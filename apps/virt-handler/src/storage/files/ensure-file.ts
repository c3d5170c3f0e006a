import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import { hasCode, unless, writeError } from './file-error.ts';

export interface FileContent {
  readonly bytes: Uint8Array;
  /** The size of the file, where it goes on with zeros. */
  readonly sizeBytes?: number | undefined;
}

/** QEMU's account has to get through, and to see nothing on its way. */
export const DIRECTORY_MODE = 0o711;
export const FILE_MODE = 0o600;

/**
 * Makes a file in the directory of an instance unless it is there. It appears whole or not at all; what a killed attempt leaves
 * goes with that directory, and so does the file when the power is lost.
 */
export async function ensureFile(path: string, content: () => Promise<FileContent> | FileContent): Promise<void> {
  if (await lstat(path).catch(unless('ENOENT'))) return;
  await ensureDirectory(dirname(path));
  const growing = `${path}.${randomUUID()}`;
  try {
    const { bytes, sizeBytes } = await content();
    {
      await using file = await open(growing, 'wx', FILE_MODE);
      await file.writeFile(bytes);
      if (sizeBytes !== undefined) await file.truncate(sizeBytes);
    }
    await rename(growing, path);
  } catch (error) {
    await rm(growing, { force: true });
    throw writeError(error, dirname(path));
  }
}

/** Makes a directory that QEMU's account can pass through. */
export async function ensureDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE }).catch((error: unknown) => {
    throw writeError(error, path);
  });
}

/** Makes a symbolic link that leads to a target, also when it led elsewhere before. */
export async function ensureSymbolicLink(target: string, path: string): Promise<void> {
  const present = await readlink(path).catch(unless('ENOENT', 'EINVAL'));
  if (present === target) return;
  await ensureDirectory(dirname(path));
  const growing = `${path}.${randomUUID()}`;
  await symlink(target, growing);
  await rename(growing, path);
}

/** Makes a file appear at a second path: as the same file where it can be, else by a symbolic link. */
export async function ensureLink(target: string, path: string): Promise<void> {
  if (await lstat(path).catch(unless('ENOENT'))) return;
  await ensureDirectory(dirname(path));
  try {
    await link(target, path);
  } catch (error) {
    if (!hasCode(error, 'EXDEV', 'EMLINK', 'EPERM')) throw error;
    await ensureSymbolicLink(target, path);
  }
}
