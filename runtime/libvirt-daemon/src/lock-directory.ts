import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { isMissingSoftware, LibvirtDaemonError } from './error.ts';
import { lockFile } from './lock-file.ts';

/** Locks a directory for one daemon, and for whoever inherits the open file. */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const file = await open(`${directory}/lock`, 'a', 0o600);
  try {
    if (await lockFile(file)) return file;
  } catch (error) {
    await file.close();
    if (isMissingSoftware(error)) throw error;
    throw new LibvirtDaemonError('start-failed', `Could not lock ${directory}/lock`, { cause: error });
  }
  await file.close();
  throw new LibvirtDaemonError('directory-in-use', `Another libvirtd lives in ${directory}`);
}
