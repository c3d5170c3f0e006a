import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a death may go unseen: a process that somebody else started tells us nothing when it ends. */
const LOOK_MS = 500;

/** What tells a process from a later one with the same number: the boot it belongs to, and when in it it began. */
export interface ProcessMark {
  readonly pid: number;
  /** In the kernel's own ticks since the boot. */
  readonly startTicks: string;
  readonly bootId: string;
}

/** Whether the marked process still runs. One that has exited and was not waited for runs no more. */
export async function isRunning(mark: ProcessMark): Promise<boolean> {
  if ((await currentBootId()) !== mark.bootId) return false;
  const stat = await readFile(`/proc/${mark.pid}/stat`, 'utf8').catch(() => '');
  // The name of the program is in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] !== 'Z' && fields[19] === mark.startTicks;
}

/** Resolves when the marked process is gone, or when the signal fires. */
export async function untilGone(mark: ProcessMark, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isRunning(mark))) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The boot that this is, by the kernel's random name for it. */
export async function currentBootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}
