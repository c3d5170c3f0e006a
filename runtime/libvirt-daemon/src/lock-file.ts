import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';

import { LibvirtDaemonError } from './error.ts';
import { findProgram } from './find-program.ts';

const TAKEN = 75;

export interface LockFileOptions {
  /** Whether it is waited for while another has it. */
  readonly isWaitedFor?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Locks an open file; false when another has it, unless that is waited for. The lock belongs to the open file, so whoever inherits
 * it holds it too, and the kernel lets go of it when the last of them is gone, killed or not.
 */
export async function lockFile(file: FileHandle, options: LockFileOptions = {}): Promise<boolean> {
  const { isWaitedFor = false, signal } = options;
  const flock = await findProgram('flock', 'util-linux');
  signal?.throwIfAborted();
  const how = isWaitedFor ? [] : ['--nonblock'];
  // Node cannot lock a file. A child can, on its behalf: both have the same open file.
  const child = spawn(flock, ['--exclusive', ...how, '--conflict-exit-code', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  });
  const end = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const [status]: unknown[] = await once(child, 'exit');
    signal?.throwIfAborted();
    if (status === 0 || status === TAKEN) return status === 0;
    throw new LibvirtDaemonError('command-failed', `flock ended with ${String(status)}`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
