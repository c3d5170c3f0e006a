import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';

import { FilesError } from './files-error.ts';

const TAKEN = 75;
/** Which program that is must not depend on who starts us. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

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
  signal?.throwIfAborted();
  // The child would get another file in its place, and lock that.
  if (file.fd < 0) throw new FilesError('lock-failed', 'the file to lock was closed');
  const how = isWaitedFor ? [] : ['--nonblock'];
  // Node cannot lock a file. A child can, on its behalf: both have the same open file.
  const child = spawn('flock', ['--exclusive', ...how, '--conflict-exit-code', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
    env: { PATH: SYSTEM_PATH },
    // One that was removed looks like a program that is missing.
    cwd: '/',
  });
  const end = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const status = await exitOf(child);
    signal?.throwIfAborted();
    if (status === 0 || status === TAKEN) return status === 0;
    throw new FilesError('lock-failed', `flock ended with ${String(status)}`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function exitOf(child: ChildProcess): Promise<unknown> {
  try {
    const [status]: unknown[] = await once(child, 'exit');
    return status;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const isMissing = code === 'ENOENT' || code === 'EACCES';
    if (!isMissing) throw new FilesError('lock-failed', 'flock cannot be started', { cause });
    const message = 'The program flock is missing: install the Debian package util-linux';
    throw new FilesError('missing-program', message, { cause });
  }
}
