import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { hasCode } from './file-error.ts';

/** The name of a copy in the making: it tells the process, and when that started. */
export async function incomingName(unique: string): Promise<string> {
  return `${process.pid}-${(await startTicks(process.pid)) ?? 0}-${unique}`;
}

/** Removes copies whose process was killed. */
export async function sweepIncoming(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid, ticks] = /^(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || String(await startTicks(Number(pid))) === ticks) continue;
    await rm(join(directory, name), { force: true });
  }
}

/** When a process started, in ticks since boot; a pid alone may be another process by now. */
async function startTicks(pid: number): Promise<number | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in brackets that may hold anything.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}
