import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { DIRECTORY_MODE, FILE_MODE } from './ensure-file.ts';
import { hasCode, unless, writeError } from './file-error.ts';

/** No disk that somebody names ends like this, so what does is ours to remove. */
const GROWING = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.smalt-growing$/;
/** Nobody takes this long for an empty disk. Another node that shares the directory may be at it now. */
const FORGOTTEN_MS = 600_000;

/**
 * Makes an empty raw disk that outlives its instance, unless it is there. It appears whole or not at all, also when the power is
 * lost meanwhile, and never takes the place of one that others make at the same time: a guest may write to that already. What an
 * attempt that was killed left beside it is removed by a later one.
 */
export async function ensureLastingDisk(path: string, sizeBytes: number): Promise<void> {
  if (await lstat(path).catch(unless('ENOENT'))) return;
  const directory = dirname(path);
  const growing = `${path}.${randomUUID()}.smalt-growing`;
  try {
    await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
    {
      await using file = await open(growing, 'wx', FILE_MODE);
      await file.truncate(sizeBytes);
      await file.sync();
    }
    await removeForgotten(path, growing);
    await giveName(growing, path);
    await rm(growing);
    await syncDirectory(directory);
  } catch (error) {
    await rm(growing, { force: true });
    throw writeError(error, directory);
  }
}

/** A name that is taken stays with what has it; to rename would not. */
async function giveName(growing: string, path: string): Promise<void> {
  await link(growing, path).catch((cause: unknown) => {
    if (hasCode(cause, 'EEXIST')) return;
    if (!hasCode(cause, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw cause;
    const message = `${dirname(path)} has no hard links, so no disk can be made there safely; make the raw disk ${path} by hand`;
    throw new VirtHandlerError('storage-failed', message, { cause });
  });
}

/** The clock is that of the file system, which may not be this machine's. */
async function removeForgotten(path: string, growing: string): Promise<void> {
  const { mtimeMs: now } = await stat(growing);
  const name = basename(path);
  for (const other of await readdir(dirname(path))) {
    if (!other.startsWith(name) || !GROWING.test(other) || other.replace(GROWING, '') !== name) continue;
    const left = await lstat(join(dirname(path), other)).catch(unless('ENOENT'));
    const isForgotten = left?.isFile() === true && now - left.mtimeMs > FORGOTTEN_MS;
    if (isForgotten) await rm(join(dirname(path), other), { force: true });
  }
}

/** Else a loss of power could take the name away again, and the guest would get a new disk later. */
async function syncDirectory(directory: string): Promise<void> {
  await using opened = await open(directory, 'r');
  // Not every file system has this for directories.
  await opened.sync().catch(unless('EINVAL', 'ENOTSUP', 'ENOSYS'));
}
