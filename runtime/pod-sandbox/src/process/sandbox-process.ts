import { readFile } from 'node:fs/promises';

import { readIfThere } from '@smalt/files';

import { PodSandboxError } from '../pod-sandbox-error.ts';

/** A process, and when it started: another one that got its pid later, or after a boot, is not taken for it. */
export interface SandboxProcess {
  readonly processId: number;
  /** In the kernel's own ticks since the boot. */
  readonly startTicks: number;
  /** The boot that it belongs to; where it is not told, the ticks alone count. */
  readonly bootId?: string | undefined;
}

/**
 * The process that has this pid now; undefined when there is none, or one that has exited and was not waited for. Rejects where
 * that cannot be seen, with `not-permitted` where /proc is not there: guests are ended with their launchers, so a look that failed
 * must not count as an end.
 */
export async function findProcess(processId: number): Promise<SandboxProcess | undefined> {
  const stat = await readIfThere(`/proc/${processId}/stat`);
  if (stat === '') await requireProcesses();
  const startTicks = parseStartTicks(stat);
  return startTicks === undefined ? undefined : { processId, startTicks, bootId: await currentBootId() };
}

/** Whether the process still runs. Rejects where nobody can tell. */
export async function isProcessRunning({ processId, startTicks, bootId }: SandboxProcess): Promise<boolean> {
  const found = await findProcess(processId);
  return found?.startTicks === startTicks && (bootId === undefined || bootId === found.bootId);
}

/** Sends a signal to a process if it still runs, and says whether it did. */
export async function signalProcess(target: SandboxProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isProcessRunning(target))) return false;
  try {
    return process.kill(target.processId, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** When a process started, by the text of its `stat`; undefined for one that has exited. */
export function parseStartTicks(stat: string): number | undefined {
  // The name of the program is in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[19] ?? Number.NaN);
  return fields[0] === 'Z' || fields[0] === 'X' || !Number.isSafeInteger(ticks) ? undefined : ticks;
}

/** Throws `not-permitted` where not even this process is seen: /proc is not mounted, or not that of its processes. */
async function requireProcesses(): Promise<void> {
  await readFile('/proc/self/stat').catch((cause: unknown) => {
    throw new PodSandboxError('not-permitted', '/proc shows no processes, not even this one; mount it again', {
      cause,
    });
  });
}

async function currentBootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}
