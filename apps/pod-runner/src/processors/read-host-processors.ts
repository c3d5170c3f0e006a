import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseProcessors } from '@smalt/pod-sandbox';

import type { HostProcessor } from './host-processor.ts';

/** The processors of this machine that are on, with their cores and cells. */
export async function readHostProcessors(devices: string = '/sys/devices/system'): Promise<readonly HostProcessor[]> {
  const online = parseProcessors(await readFile(join(devices, 'cpu/online'), 'utf8'));
  const cells = await readCells(join(devices, 'node'));
  return await Promise.all(
    online.map(async (id) => {
      const file = join(devices, `cpu/cpu${id}/topology/thread_siblings_list`);
      // Machines that hide their cores have as many as processors.
      const siblings = parseProcessors(await readFile(file, 'utf8').catch(() => ''));
      return { id, core: Math.min(id, ...siblings), cell: cells.get(id) ?? 0 };
    }),
  );
}

/** On which cell each processor is; empty on machines without cells. */
async function readCells(directory: string): Promise<ReadonlyMap<number, number>> {
  const names = await readdir(directory).catch(() => []);
  const cells = new Map<number, number>();
  for (const name of names.filter((each) => /^node\d+$/.test(each))) {
    const list = await readFile(join(directory, name, 'cpulist'), 'utf8').catch(() => '');
    for (const id of parseProcessors(list)) cells.set(id, Number(name.slice('node'.length)));
  }
  return cells;
}
