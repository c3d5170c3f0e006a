import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { VmHost } from './vm-host.ts';

const BLOCK = 512;

/**
 * What is typed into the shell of a guest to let it count: each tick is a block of a disk, with the id of this boot, the number,
 * and how many ticks its memory holds, and a line on the console.
 */
export function tickTo(device: string): string {
  const block = `printf '%-511s\\n' "$boot $n $(wc -l </run/ticks)" | dd of=${device} bs=${BLOCK} seek=$n conv=notrunc,fsync 2>/dev/null`;
  const loop = `while :; do echo $n >>/run/ticks; ${block}; echo "tick $n"; n=$((n+1)); sleep 0.2; done`;
  return `mkdir -p /run; n=0; boot=$(cut -c1-8 /proc/sys/kernel/random/boot_id); (${loop}) &\n`;
}

export interface Ticks {
  /** The boots that have written; one, if the guest was never started anew. */
  readonly boots: readonly string[];
  readonly count: number;
}

/**
 * The ticks on a disk of a guest that stands still. Throws when one is missing, or the memory of the guest does not
 * hold as many as the disk.
 */
export async function readTicks(host: VmHost, instance: VirtualMachineInstance, volume: string): Promise<Ticks> {
  const disk = join('vh/instances', instance.metadata.uid ?? '', 'volumes', volume, 'disk.qcow2');
  const copy = join(host.directory, 'ticks.raw');
  const words = ['convert', '-U', '-f', 'qcow2', '-O', 'raw', join(host.ownDirectory, disk)] as const;
  await host.machine.exec(['qemu-img', ...words, join(host.ownDirectory, 'ticks.raw')]);
  const content = await readFile(copy, 'latin1');
  const boots = new Set<string>();
  for (let number = 0; ; number++) {
    const text = content.slice(number * BLOCK, (number + 1) * BLOCK).replaceAll('\0', '').trim();
    if (text === '') return { boots: [...boots], count: number };
    const [boot = '', ...numbers] = text.split(/ +/u);
    boots.add(boot);
    if (numbers.join(' ') !== `${number} ${number + 1}`) throw new Error(`block ${number} has "${text}"`);
  }
}
