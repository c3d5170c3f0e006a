import { chmod, mkdir, stat } from 'node:fs/promises';

import { LibvirtDaemonError } from './error.ts';

/** Makes a directory that nobody but its owner may enter, and refuses one that belongs to another: what it says is believed. */
export async function makeOwnDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid } = await stat(directory);
  if (uid !== process.getuid?.()) {
    throw new LibvirtDaemonError(
      'invalid-option',
      `directory: ${directory} belongs to the user ${uid}; give one of your own`,
    );
  }
  await chmod(directory, 0o700);
}
