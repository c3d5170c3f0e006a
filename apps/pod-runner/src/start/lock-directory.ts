import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { PodRunnerError } from '../pod-runner-error.ts';

const TAKEN = 75;

/** Locks the directory of pods for this runner. The kernel lets go of it when the process is gone, killed or not. */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const file = await open(join(directory, 'runner.lock'), 'a', 0o600);
  // Node cannot lock a file. A child can, on its behalf: both have the same open file.
  const child = spawn('/usr/bin/flock', ['--exclusive', '--nonblock', '--conflict-exit-code', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  });
  const status: unknown = await once(child, 'exit').then(
    ([code]) => code,
    (error: unknown) => error,
  );
  if (status === 0) return file;
  await file.close();
  const message =
    status === TAKEN
      ? `podsDirectory: another pod runner has ${directory}; stop it, or give this one a directory of its own`
      : `podsDirectory: ${directory} cannot be locked; is the Debian package util-linux installed?`;
  throw new PodRunnerError(status === TAKEN ? 'directory-in-use' : 'bad-setting', message, { cause: status });
}
