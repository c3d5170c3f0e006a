import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { isMissingProgram, lockFile } from '@smalt/files';
import { messageOf } from '@smalt/service-runtime';

import { VirtHandlerError } from '../virt-handler-error.ts';

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
    if (!(await lock(file, false, signal))) {
      onWait(`another handler of the node ${nodeName} has the state directory ${directory}: stop one of them`);
      await lock(file, true, signal);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function lock(file: FileHandle, isWaitedFor: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    return await lockFile(file, { isWaitedFor, signal });
  } catch (error) {
    if (signal.aborted || isMissingProgram(error)) throw error;
    const message = `state: the state directory cannot be locked: ${messageOf(error)}`;
    throw new VirtHandlerError('bad-setting', message, { field: 'state', cause: error });
  }
}
