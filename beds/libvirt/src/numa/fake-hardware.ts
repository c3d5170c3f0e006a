import { BedError } from '../error.ts';

/** The processors and memory a host pretends to have. */
export interface FakeHardware {
  /** NUMA nodes. */
  readonly cells: number;
  readonly coresPerCell: number;
  /** Per core; 1 by default. */
  readonly threads?: number | undefined;
  readonly memoryKiBPerCell: number;
  /** Reserved in each cell, by size of the page. */
  readonly hugepagesPerCell?: { readonly '2MiB'?: number; readonly '1GiB'?: number } | undefined;
}

/** File texts by path, below /sys/devices/system. */
export type FileTree = ReadonlyMap<string, string>;

const NEAR = 10;
const FAR = 21;
const PAGE_SIZES_KIB = { '2MiB': 2048, '1GiB': 1_048_576 } as const;
/** What a running system takes of each cell. */
const USED_KIB = 1_048_576;

/** The files by which Linux would show such hardware: `node/…` and `cpu/…`. */
export function fakeHardwareTree(hardware: FakeHardware): FileTree {
  check(hardware);
  const cells = range(hardware.cells);
  return new Map([
    ...nodeLists(hardware),
    ...cells.flatMap((cell) => cellFiles(hardware, cell)),
    ...cells.flatMap((cell) => range(hardware.coresPerCell).flatMap((core) => coreFiles(hardware, cell, core))),
  ]);
}

type Files = readonly (readonly [path: string, text: string])[];

function nodeLists(hardware: FakeHardware): Files {
  const processors = processorCount(hardware);
  const nodes = `0-${hardware.cells - 1}\n`;
  const all = `0-${processors - 1}\n`;
  return [
    ...['online', 'possible', 'has_cpu', 'has_memory', 'has_normal_memory'].map(
      (name) => [`node/${name}`, nodes] as const,
    ),
    ...['online', 'possible', 'present'].map((name) => [`cpu/${name}`, all] as const),
    ['cpu/offline', '\n'],
    ['cpu/kernel_max', `${processors - 1}\n`],
  ];
}

function cellFiles(hardware: FakeHardware, cell: number): Files {
  const at = `node/node${cell}`;
  const processors = range(hardware.coresPerCell).flatMap((core) => siblings(hardware, cell, core));
  const distances = range(hardware.cells).map((other) => (other === cell ? NEAR : FAR));
  return [
    [`${at}/meminfo`, memoryText(hardware, cell)],
    [`${at}/distance`, `${distances.join(' ')}\n`],
    [`${at}/cpulist`, `${processors.join(',')}\n`],
    [`${at}/cpumap`, mask(processors, processorCount(hardware))],
    // libvirt counts a cell's processors by these directories.
    ...processors.map((id) => [`${at}/cpu${id}/online`, '1\n'] as const),
    ...hugepageFiles(hardware, at),
  ];
}

function memoryText(hardware: FakeHardware, cell: number): string {
  const pages = hardware.hugepagesPerCell?.['2MiB'] ?? 0;
  const total = hardware.memoryKiBPerCell;
  const free = total - hugepageMemoryKiB(hardware) - USED_KIB;
  const lines = [
    `MemTotal:       ${total} kB`,
    `MemFree:        ${free} kB`,
    `MemUsed:        ${total - free} kB`,
    `HugePages_Total: ${pages}`,
    `HugePages_Free: ${pages}`,
    `HugePages_Surp: 0`,
  ];
  return lines.map((line) => `Node ${cell} ${line}\n`).join('');
}

function hugepageFiles(hardware: FakeHardware, at: string): Files {
  return pageSizes().flatMap(([size, kibibytes]) => {
    const count = hardware.hugepagesPerCell?.[size] ?? 0;
    const directory = `${at}/hugepages/hugepages-${kibibytes}kB`;
    return [
      [`${directory}/nr_hugepages`, `${count}\n`],
      [`${directory}/free_hugepages`, `${count}\n`],
      [`${directory}/surplus_hugepages`, '0\n'],
    ] as const;
  });
}

function coreFiles(hardware: FakeHardware, cell: number, core: number): Files {
  const threads = siblings(hardware, cell, core);
  const map = mask(threads, processorCount(hardware));
  const list = `${threads.join(',')}\n`;
  return threads.flatMap((id) => [
    [`cpu/cpu${id}/online`, '1\n'],
    [`cpu/cpu${id}/topology/core_id`, `${core}\n`],
    [`cpu/cpu${id}/topology/physical_package_id`, `${cell}\n`],
    [`cpu/cpu${id}/topology/die_id`, '0\n'],
    [`cpu/cpu${id}/topology/cluster_id`, '-1\n'],
    [`cpu/cpu${id}/topology/thread_siblings`, map],
    [`cpu/cpu${id}/topology/core_cpus`, map],
    [`cpu/cpu${id}/topology/thread_siblings_list`, list],
    [`cpu/cpu${id}/topology/core_cpus_list`, list],
  ]);
}

/** Numbered as Linux does: first every core's first thread, cell by cell, then the second ones. */
function siblings({ cells, coresPerCell, threads = 1 }: FakeHardware, cell: number, core: number): readonly number[] {
  return range(threads).map((thread) => thread * cells * coresPerCell + cell * coresPerCell + core);
}

/** A set of processors as sysfs prints it: 32 of them to a hexadecimal word, the last first. */
function mask(ids: readonly number[], total: number): string {
  const bits = ids.reduce((set, id) => set | (1n << BigInt(id)), 0n);
  const words = range(Math.max(1, Math.ceil(total / 32))).map((word) => (bits >> BigInt(32 * word)) & 0xff_ff_ff_ffn);
  const texts = words.map((word) => word.toString(16).padStart(8, '0'));
  return `${texts.toReversed().join(',')}\n`;
}

function check(hardware: FakeHardware): void {
  const { cells, coresPerCell, threads = 1, memoryKiBPerCell, hugepagesPerCell } = hardware;
  for (const [field, value] of Object.entries({ cells, coresPerCell, threads, memoryKiBPerCell })) {
    if (!Number.isSafeInteger(value) || value < 1) refuse(field, value, 'a whole number above 0');
  }
  for (const [size, count] of Object.entries(hugepagesPerCell ?? {})) {
    if (!Number.isSafeInteger(count) || count < 0) refuse(`hugepagesPerCell.${size}`, count, 'a whole number');
  }
  const needed = hugepageMemoryKiB(hardware) + USED_KIB;
  if (memoryKiBPerCell < needed) refuse('memoryKiBPerCell', memoryKiBPerCell, `at least ${needed}`);
}

function refuse(field: string, value: number, wish: string): never {
  throw new BedError('invalid-option', `numa.${field}: must be ${wish}, not ${value}`);
}

function hugepageMemoryKiB({ hugepagesPerCell }: FakeHardware): number {
  return pageSizes().reduce((sum, [size, kibibytes]) => sum + (hugepagesPerCell?.[size] ?? 0) * kibibytes, 0);
}

function pageSizes(): readonly (readonly [size: keyof typeof PAGE_SIZES_KIB, kibibytes: number])[] {
  return [
    ['2MiB', PAGE_SIZES_KIB['2MiB']],
    ['1GiB', PAGE_SIZES_KIB['1GiB']],
  ];
}

function processorCount({ cells, coresPerCell, threads = 1 }: FakeHardware): number {
  return cells * coresPerCell * threads;
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}
