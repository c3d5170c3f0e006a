import { readdir, readFile, readlink } from 'node:fs/promises';

import { readProcessMemory } from '../src/process-memory.ts';
import type { VmNode } from './vm-node.ts';
import type { MachineMemory } from './vms-result.ts';

/** Parts by what is shown of them, as process ids or as bytes. */
type ByPart = Readonly<Record<string, number>>;

/** The proportional memory of each part, in bytes: pages that processes share are split among them. */
export async function readMemoryByPart(pids: ByPart): Promise<ByPart> {
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
}

/** What a machine costs: its launcher, its process, and how much each part has grown. */
export async function readMemoryPerMachine(pids: ByPart, { before, node, count }: MemoryBefore): Promise<MachineMemory> {
  const [after, launcher, monitor] = await Promise.all([
    readMemoryByPart(pids),
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
