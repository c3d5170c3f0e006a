import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram } from '@smalt/libvirt-daemon';

import { VirtHandlerError } from '../virt-handler-error.ts';

const TAKEN = 75;

export interface StateDirectory {
  readonly directory: string;
  readonly nodeName: string;
  /** Called when another process has it and has to be waited for. */
  readonly onWait: (reason: string) => void;
}

/**
 * Holds the state directory for this process, once no other handler of the node has it: also where the API cannot be asked
 * who acts. The kernel lets go of it when the process is gone, killed or not.
 */
export async function holdStateDirectory(
  { directory, nodeName, onWait }: StateDirectory,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const file = await open(join(directory, `handler.${nodeName}.lock`), 'a', 0o600);
  try {
    if (!(await lock(file, ['--nonblock'], signal))) {
      onWait(`another handler of the node ${nodeName} has the state directory ${directory}: stop one of them`);
      await lock(file, [], signal);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Node cannot lock a file. A child can, on its behalf: both have the same open file. */
async function lock(file: FileHandle, how: readonly string[], signal: AbortSignal): Promise<boolean> {
  const flock = await findProgram('flock', 'util-linux');
  signal.throwIfAborted();
  const child = spawn(flock, ['--exclusive', ...how, '--conflict-exit-code', String(TAKEN), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  });
  const end = (): boolean => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    const [status]: unknown[] = await once(child, 'exit');
    signal.throwIfAborted();
    if (status === 0 || status === TAKEN) return status === 0;
    throw new VirtHandlerError(
      'bad-setting',
      `state: the state directory cannot be locked: flock ended with ${String(status)}`,
      {
        field: 'state',
      },
    );
  } finally {
    signal.removeEventListener('abort', end);
  }
}
