import { untilGone, type ProcessMark } from '@smalt/libvirt-daemon';

import { SmaltError } from '../smalt-error.ts';
import { readHolder } from '../up/claim-data-directory.ts';

/** Asks the `smalt up` of a data directory to stop, as Ctrl-C does, and waits until it has. Gives the process, if there was one. */
export async function stopSmalt(dataDirectory: string, signal: AbortSignal): Promise<ProcessMark | undefined> {
  const holder = await readHolder(dataDirectory);
  if (holder === undefined) return undefined;
  signalHolder(holder);
  await untilGone(holder, signal);
  if (signal.aborted) {
    const next = 'give it more time, or press Ctrl-C there once more: guests run on then';
    throw new SmaltError('timed-out', `smalt up, process ${holder.pid}, has not stopped yet: ${next}`);
  }
  return holder;
}

function signalHolder({ pid }: ProcessMark): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It has ended since the last look.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
