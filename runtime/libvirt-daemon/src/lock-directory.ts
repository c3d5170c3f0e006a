import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { isMissingProgram, lockFile } from '@smalt/files';

import { LibvirtDaemonError } from './error.ts';

/** Locks a directory for one daemon, and for whoever inherits the open file. */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const file = await open(`${directory}/lock`, 'a', 0o600);
  try {
    if (await lockFile(file)) return file;
  } catch (error) {
    await file.close();
    if (isMissingProgram(error)) throw new LibvirtDaemonError('missing-program', error.message, { cause: error });
    throw new LibvirtDaemonError('start-failed', `Could not lock ${directory}/lock`, { cause: error });
  }
  await file.close();
  throw new LibvirtDaemonError('directory-in-use', `Another libvirtd lives in ${directory}`);
}
