import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { LibvirtDaemonError } from './error.ts';
import { findProgram } from './find-program.ts';

const TAKEN = 75;

/**
 * Locks a directory for one daemon. The lock belongs to the open file, so whoever inherits it holds it too, and the
 * kernel lets go of it when the last of them is gone, killed or not.
 */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const flock = await findProgram('flock', 'util-linux');
  const file = await open(`${directory}/lock`, 'a', 0o600);
  // Node cannot lock a file. A child can, on its behalf: both have the same open file.
  const child = spawn(flock, ['--exclusive', '--nonblock', '--conflict-exit-code', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  });
  const status: unknown = await once(child, 'exit').then(
    ([code]) => code,
    (error: unknown) => error,
  );
  if (status === 0) return file;
  await file.close();
  if (status === TAKEN) throw new LibvirtDaemonError('directory-in-use', `Another libvirtd lives in ${directory}`);
  throw new LibvirtDaemonError('start-failed', `Could not lock ${directory}/lock`, { cause: status });
}
