import { readProcessCpu } from '../../src/process-cpu.ts';
import { readProcessMemory } from '../../src/process-memory.ts';
import type { PartName, ProcessCost } from '../fleet-result.ts';

/** Processes that are shown as one. */
export interface ProcessGroup {
  readonly part: PartName;
  readonly name: string;
  readonly pids: readonly number[];
}

/** Processor time so far, by the name of the group. */
export type CpuReading = ReadonlyMap<string, number>;

/** So many of a group are looked at for its memory; the others are like them. */
const MOST_SAMPLES = 25;

export async function readCpu(groups: readonly ProcessGroup[]): Promise<CpuReading> {
  const reading = new Map<string, number>();
  for (const { name, pids } of groups) reading.set(name, sum(await Promise.all(pids.map(readProcessCpu))));
  return reading;
}

/** What each group took between two readings, and what it holds now. */
export async function readCosts(
  groups: readonly ProcessGroup[],
  before: CpuReading,
  after: CpuReading,
): Promise<readonly ProcessCost[]> {
  return await Promise.all(
    groups.map(async ({ part, name, pids }) => ({
      part,
      name,
      cpuSeconds: (after.get(name) ?? 0) - (before.get(name) ?? 0),
      residentBytes: await readMemory(pids),
    })),
  );
}

/** Hundreds of daemons are alike, and looking at each would keep the machine busy. They share pages, so shares are added. */
async function readMemory(pids: readonly number[]): Promise<number> {
  const looked = pids.slice(0, MOST_SAMPLES);
  if (looked.length === 0) return 0;
  const memories = await Promise.all(looked.map(readProcessMemory));
  if (pids.length === looked.length) return sum(memories.map(({ residentBytes }) => residentBytes));
  return (sum(memories.map(({ proportionalBytes }) => proportionalBytes)) / looked.length) * pids.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
