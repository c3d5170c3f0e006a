import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { readProcessMemory } from '../src/process-memory.ts';
import type { VmNode } from './vm-node.ts';
import type { MachineMemory } from './vms-result.ts';

/** Parts by what is shown of them, as process ids or as bytes. */
export type ByPart = Readonly<Record<string, number>>;

const SETTLE_MS = 1_500;
/** It has no garbage, and SIGUSR2 would end it. */
const WITHOUT_GARBAGE = 'libvirtd';

/**
 * The proportional memory of each part after its garbage was collected, in bytes: pages that processes share are split
 * among them.
 */
export async function readMemoryByPart(pids: ByPart, signal: AbortSignal): Promise<ByPart> {
  for (let turn = 0; turn < 2; turn++) {
    for (const [part, pid] of Object.entries(pids)) if (part !== WITHOUT_GARBAGE) process.kill(pid, 'SIGUSR2');
    await delay(SETTLE_MS, undefined, { signal });
  }
  const entries = Object.entries(pids).map(
    async ([part, pid]) => [part, (await readProcessMemory(pid)).proportionalBytes] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

export interface MemoryBefore {
  readonly before: ByPart;
  readonly node: VmNode;
  /** How many machines there are now, and were not before. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** What a machine costs: its launcher, its process, and how much each part has grown. */
export async function readMemoryPerMachine(
  pids: ByPart,
  { before, node, count, signal }: MemoryBefore,
): Promise<MachineMemory> {
  const [after, launcher, monitor] = await Promise.all([
    readMemoryByPart(pids, signal),
    meanOf(await pidsInside(node, /\bvirt-launcher\b/u)),
    meanOf(await pidsInside(node, /^\S*qemu-system/u)),
  ]);
  const growth = Object.entries(after).map(([part, bytes]) => [part, (bytes - (before[part] ?? 0)) / count] as const);
  return { launcher, monitor, growth: Object.fromEntries(growth) };
}

async function meanOf(pids: readonly number[]): Promise<number> {
  const all = await Promise.all(pids.map((pid) => readProcessMemory(pid)));
  return all.reduce((sum, { proportionalBytes }) => sum + proportionalBytes, 0) / Math.max(1, all.length);
}

/** The processes of a node whose command line fits. */
async function pidsInside({ host }: VmNode, pattern: RegExp): Promise<readonly number[]> {
  const namespace = await namespaceOf(host.daemon.namespacePid);
  const all = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  const fits = await Promise.all(
    all.map(async (pid) => pattern.test(await commandOf(pid)) && (await namespaceOf(pid)) === namespace),
  );
  return all.filter((_, index) => fits[index]);
}

/** Empty for one that has ended meanwhile. */
async function commandOf(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words.replaceAll('\0', ' ');
}

async function namespaceOf(pid: number): Promise<string> {
  return await readlink(`/proc/${pid}/ns/pid`).catch(() => '');
}
