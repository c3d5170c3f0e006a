import { setTimeout as delay } from 'node:timers/promises';

import { processIdsBelow } from './process-ids.ts';

const PAUSE_MS = 20;

/** Kills the processes of a cgroup until none is left: those that make others make no more once they are dead. */
export async function killProcesses(directory: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const processIds = await processIdsBelow(directory);
    if (processIds.length === 0) return;
    for (const processId of processIds) kill(processId);
    await delay(PAUSE_MS, undefined, { signal });
  }
}

function kill(processId: number): void {
  try {
    // Processes outside this pid namespace are shown as 0, and a signal to 0 goes to ourselves.
    if (processId > 1) process.kill(processId, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
