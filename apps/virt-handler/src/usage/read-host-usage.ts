import { readFile } from 'node:fs/promises';

import type { HostUsage } from '@smalt/vm-api';

/** What the kernel says in `/proc`. */
export interface HostFiles {
  readonly stat: string;
  readonly loadavg: string;
  readonly meminfo: string;
}

/** Linux counts time in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;
const KIBIBYTE = 1_024;

/** Reads what this machine uses. */
export async function readHostUsage(directory = '/proc'): Promise<HostUsage> {
  const [stat, loadavg, meminfo] = await Promise.all(
    ['stat', 'loadavg', 'meminfo'].map((name) => readFile(`${directory}/${name}`, 'utf8')),
  );
  return hostUsageIn({ stat: stat ?? '', loadavg: loadavg ?? '', meminfo: meminfo ?? '' });
}

/** Finds the numbers in the files of the kernel; what is missing there is 0. */
export function hostUsageIn({ stat, loadavg, meminfo }: HostFiles): HostUsage {
  const lines = stat.split('\n');
  const all = lines.find((line) => line.startsWith('cpu ')) ?? '';
  // Time of guests is counted among the user's already.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = all
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const memoryTotalBytes = kibibytesOf(meminfo, 'MemTotal') * KIBIBYTE;
  return {
    cpuBusySeconds: (user + nice + system + irq + softIrq + steal) / TICKS_PER_SECOND,
    cpus: lines.filter((line) => /^cpu\d/.test(line)).length,
    load1: Number(loadavg.split(' ', 1)[0]) || 0,
    memoryUsedBytes: memoryTotalBytes - kibibytesOf(meminfo, 'MemAvailable') * KIBIBYTE,
    memoryTotalBytes,
  };
}

function kibibytesOf(meminfo: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0);
}
