import { readdir, readFile, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

/** What a machine has for pods. */
export interface NodeResources {
  readonly processors: number;
  readonly memoryBytes: number;
  readonly storageBytes: number;
  /** How many pages of each size are set aside, by the size in KiB. */
  readonly hugepages: ReadonlyMap<number, number>;
}

export interface Reservation {
  readonly maxPods: number;
  readonly reservedMemoryMiB: number;
  /** How many processors no pod gets for itself. */
  readonly reservedProcessorCount: number;
}

type Quantities = Readonly<Record<string, string>>;

const MIB = 1024 * 1024;
const HUGEPAGES = '/sys/kernel/mm/hugepages';

/** Looks at this machine; the directory tells which disk pods use. */
export async function readNodeResources(podsDirectory: string): Promise<NodeResources> {
  const { blocks, bsize } = await statfs(podsDirectory);
  return {
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    storageBytes: blocks * bsize,
    hugepages: await readHugepages(),
  };
}

/** What a node says that it has, and what of it pods may take. */
export function nodeQuantities(
  resources: NodeResources,
  { maxPods, reservedMemoryMiB, reservedProcessorCount }: Reservation,
): { readonly capacity: Quantities; readonly allocatable: Quantities } {
  const { processors, memoryBytes, storageBytes, hugepages } = resources;
  const pages = Object.fromEntries([...hugepages].map(([kib, count]) => [pageName(kib), `${kib * count}Ki`]));
  const inPages = [...hugepages].reduce((sum, [kib, count]) => sum + kib * count * 1024, 0);
  const same = { pods: String(maxPods), 'ephemeral-storage': String(storageBytes), ...pages };
  // Pages that are set aside can be used for nothing else.
  const free = Math.max(0, memoryBytes - inPages - reservedMemoryMiB * MIB);
  return {
    capacity: { ...same, cpu: String(processors), memory: `${Math.floor(memoryBytes / 1024)}Ki` },
    allocatable: {
      ...same,
      // So that whoever asks for whole ones is not sent to where only those are left that nobody gets for itself.
      cpu: String(Math.max(0, processors - reservedProcessorCount)),
      memory: `${Math.floor(free / 1024)}Ki`,
    },
  };
}

function pageName(kib: number): string {
  return kib >= MIB ? `hugepages-${kib / MIB}Gi` : `hugepages-${kib / 1024}Mi`;
}

async function readHugepages(): Promise<ReadonlyMap<number, number>> {
  const names = await readdir(HUGEPAGES).catch(() => []);
  const sizes = names.flatMap((name) => /^hugepages-(\d+)kB$/.exec(name)?.[1] ?? []);
  const counts = await Promise.all(
    sizes.map(async (size): Promise<readonly [number, number]> => {
      const text = await readFile(join(HUGEPAGES, `hugepages-${size}kB`, 'nr_hugepages'), 'utf8');
      return [Number(size), Number(text)];
    }),
  );
  return new Map(counts);
}
