import { readFile } from 'node:fs/promises';
import { BenchmarkError } from './benchmark-error.ts';

/** What a process holds in memory: all of it, and its fair share of the pages that others map too. */
export interface ProcessMemory {
  readonly residentBytes: number;
  readonly proportionalBytes: number;
}

/** Reads the memory of a process that is ours or whose owner we may look at. */
export async function readProcessMemory(pid: number): Promise<ProcessMemory> {
  return parseMemory(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

/** The most a process has ever held in memory. */
export async function readPeakBytes(pid: number): Promise<number> {
  return kibibytes(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmHWM');
}

/** The two sums of a `smaps_rollup` file. */
export function parseMemory(rollup: string): ProcessMemory {
  return { residentBytes: kibibytes(rollup, 'Rss'), proportionalBytes: kibibytes(rollup, 'Pss') };
}

function kibibytes(rollup: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1];
  if (found === undefined)
    throw new BenchmarkError('peer-failed', `no ${field} among what the kernel tells of a process`);
  return Number(found) * 1024;
}
