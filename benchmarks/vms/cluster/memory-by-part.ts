import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { readProcessMemory } from '../../src/process-memory.ts';
import type { VmNode } from './vm-node.ts';
import type { MachineMemory } from '../vms-result.ts';

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

/** The mean of launchers and of processes of guests on a node. */
export async function readMachineProcesses(node: VmNode): Promise<Omit<MachineMemory, 'growth'>> {
  const [launcher, monitor] = await Promise.all([
    meanOf(await pidsInside(node, /\bvirt-launcher\b/u)),
    meanOf(await pidsInside(node, /^\S*qemu-system/u)),
  ]);
  return { launcher, monitor };
}

/** What each part has grown by for one of so many machines: more than it had before they came and than after they went. */
export function growthByPart(withMachines: ByPart, without: readonly ByPart[], machines: number): ByPart {
  const entries = Object.entries(withMachines).map(([part, bytes]) => {
    const least = Math.min(...without.map((each) => each[part] ?? 0));
    return [part, (bytes - least) / machines] as const;
  });
  return Object.fromEntries(entries);
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
