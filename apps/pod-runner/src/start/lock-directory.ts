import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { lockFile } from '@smalt/files';

import { PodRunnerError } from '../pod-runner-error.ts';

/** Locks the directory of pods for this runner. The kernel lets go of it when the process is gone, killed or not. */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const file = await open(join(directory, 'runner.lock'), 'a', 0o600);
  try {
    if (await lockFile(file)) return file;
  } catch (cause) {
    await file.close();
    const message = `podsDirectory: ${directory} cannot be locked; is the Debian package util-linux installed?`;
    throw new PodRunnerError('bad-setting', message, { cause });
  }
  await file.close();
  const message = `podsDirectory: another pod runner has ${directory}; stop it, or give this one a directory of its own`;
  throw new PodRunnerError('directory-in-use', message);
}
