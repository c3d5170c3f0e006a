import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { parseObject } from './parse-object.ts';

/** How long a death may go unseen: a process that somebody else started tells us nothing when it ends. */
const LOOK_MS = 500;

/** What tells a process from a later one with the same number: the boot it belongs to, and when in it it began. */
export interface ProcessMark {
  readonly pid: number;
  /** In the kernel's own ticks since the boot. */
  readonly startTicks: string;
  readonly bootId: string;
}

/** The mark of a process that runs; undefined when there is none with that number. */
export async function markProcess(pid: number): Promise<ProcessMark | undefined> {
  const { state, startTicks } = await readStat(pid);
  if (startTicks === undefined || state === 'Z') return undefined;
  return { pid, startTicks, bootId: await currentBootId() };
}

/** Whether the marked process still runs. One that has exited and was not waited for runs no more. Rejects where nobody can tell. */
export async function isRunning(mark: ProcessMark): Promise<boolean> {
  if ((await currentBootId()) !== mark.bootId) return false;
  const { state, startTicks } = await readStat(mark.pid);
  return state !== 'Z' && startTicks === mark.startTicks;
}

/** Reads a mark that was written as JSON; undefined for whatever is none, such as what a power loss damaged. */
export function parseProcessMark(text: string): ProcessMark | undefined {
  const { pid, startTicks, bootId } = parseObject(text);
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 2) return undefined;
  return typeof startTicks === 'string' && typeof bootId === 'string' ? { pid, startTicks, bootId } : undefined;
}

/** Resolves when the marked process is gone, or when the signal fires. */
export async function untilGone(mark: ProcessMark, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isRunning(mark))) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readStat(pid: number): Promise<{ readonly state?: string; readonly startTicks?: string }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(emptyWhereNobodyIs);
  // The name of the program is in brackets and may hold blanks and brackets itself.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[18];
  return state === undefined || startTicks === undefined ? {} : { state, startTicks };
}

/** Only these say that there is no such process. Whoever cannot look knows nothing: a host must not count as off for that. */
function emptyWhereNobodyIs(error: unknown): string {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
  throw error;
}

/** The boot that this is, by the kernel's random name for it. */
export async function currentBootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}
