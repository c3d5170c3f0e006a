import type { Disk, VirtualMachineInstance } from '@smalt/vm-api';

import { topologyOf } from '../shape/processor-topology.ts';

export interface IoThreadPlan {
  /** How many threads the domain has, numbered from 1. */
  readonly count: number;
  /** The threads that serve a disk; none when the emulator serves it itself. */
  readonly threadsOf: (diskName: string) => readonly number[];
}

/**
 * Which thread serves which virtio disk. A disk that asks for a thread of its own gets it; the others share one, or
 * with `auto` up to two per processor, or with `supplementalPool` all of the pool.
 */
export function planIoThreads(instance: VirtualMachineInstance): IoThreadPlan {
  const { devices, ioThreadsPolicy, ioThreads } = instance.spec.domain;
  const disks = (devices.disks ?? []).filter(isOnVirtio);
  if (ioThreadsPolicy === 'supplementalPool') {
    const count = ioThreads?.supplementalPoolThreadCount ?? 1;
    const pool = Array.from({ length: count }, (_, index) => index + 1);
    return planOf(count, new Map(disks.map(({ name }) => [name, pool])));
  }
  const own = disks.filter(({ dedicatedIOThread }) => dedicatedIOThread === true);
  const sharing = ioThreadsPolicy === undefined ? [] : disks.filter((disk) => !own.includes(disk));
  const most = ioThreadsPolicy === 'auto' ? Math.max(1, topologyOf(instance).count * 2 - own.length) : 1;
  const shared = Math.min(most, sharing.length);
  return planOf(
    shared + own.length,
    new Map([
      ...sharing.map(({ name }, index) => [name, [(index % shared) + 1]] as const),
      ...own.map(({ name }, index) => [name, [shared + index + 1]] as const),
    ]),
  );
}

function planOf(count: number, threads: ReadonlyMap<string, readonly number[]>): IoThreadPlan {
  return { count, threadsOf: (diskName) => threads.get(diskName) ?? [] };
}

function isOnVirtio({ disk, lun }: Disk): boolean {
  return (disk ?? lun)?.bus === 'virtio';
}
