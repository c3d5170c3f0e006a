import { readFile } from 'node:fs/promises';

/** Ticks of all processors since the machine started. */
export interface MachineTicks {
  readonly all: number;
  readonly idle: number;
}

export async function readMachineTicks(): Promise<MachineTicks> {
  return parseTicks(await readFile('/proc/stat', 'utf8'));
}

/** The first line of `/proc/stat`: user, nice, system, idle, waiting for disks, interrupts, and what others took. */
export function parseTicks(stat: string): MachineTicks {
  const ticks = (stat.split('\n')[0] ?? '').split(/\s+/u).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) };
}

/** Which share of the time between two readings the processors were busy. */
export function busyShare(before: MachineTicks, after: MachineTicks): number {
  const all = after.all - before.all;
  return all <= 0 ? 0 : 1 - (after.idle - before.idle) / all;
}
