import { join } from 'node:path';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { readCounts, type CountedBoot } from '../counting-guest.ts';
import { SmaltConsole } from './smalt-console.ts';
import type { VmHost } from './vm-host.ts';

/**
 * What is typed into the shell of a guest to let it count: each number is a block of a disk, after those that are there already,
 * with the id of this boot, and a line on the console. `readCounts` reads it.
 */
function countTo(device: string): string {
  const write = (text: string, options: string): string =>
    `printf '%-511s\\n' "${text}" | dd of=${device} bs=512 ${options} conv=notrunc,fsync 2>/dev/null`;
  const loop = `while :; do at=$((at+1)); n=$((n+1)); ${write('$boot $n', 'seek=$at')}; ${write('$at', 'seek=0')}; echo "count $n"; sleep 0.2; done`;
  const begin = `boot=$(cut -c1-8 /proc/sys/kernel/random/boot_id); at=$(dd if=${device} bs=512 count=1 2>/dev/null | tr -d '\\000\\n ')`;
  return `${begin}; at=$((at+0)); n=0; (${loop}) &\n`;
}

/** Logs in on the console of a machine that has just booted, and lets it count on one of its disks. */
export async function beginToCount(machine: string, device: string, kubeconfig: string): Promise<void> {
  await using console = new SmaltConsole(machine, kubeconfig);
  // What was printed before is gone; a key makes it ask again.
  console.type('\n');
  await console.shows(`${machine} login:`);
  console.type('root\n');
  await console.shows('# ');
  console.type(countTo(device));
  await console.shows(/^count 3\b/m);
}

/** The number that a person sees who looks at the console now. */
export async function countOnConsole(machine: string, kubeconfig: string): Promise<number> {
  await using console = new SmaltConsole(machine, kubeconfig);
  await console.shows(/^count \d+\r?\n/m);
  const [, number] = /^count (\d+)\r?\n/m.exec(console.printed) ?? [];
  return Number(number);
}

/** What a guest that stands still has counted on a disk that goes with it. Throws when a number is missing or there twice. */
export async function countsOf(
  host: VmHost,
  instance: VirtualMachineInstance,
  volume: string,
): Promise<readonly CountedBoot[]> {
  const disk = join(host.ownDirectory, 'vh/instances', instance.metadata.uid ?? '', 'volumes', volume, 'disk.qcow2');
  const copy = 'counted.raw';
  const words = ['convert', '-U', '-f', 'qcow2', '-O', 'raw'] as const;
  await host.machine.exec(['qemu-img', ...words, disk, join(host.ownDirectory, copy)]);
  return await readCounts(join(host.directory, copy));
}
