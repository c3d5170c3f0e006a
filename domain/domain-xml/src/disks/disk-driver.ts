import type { Disk } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import type { DomainInput } from '../domain-step.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { topologyOf } from '../shape/processor-topology.ts';
import { virtioGuard } from '../shape/virtio-model.ts';
import type { DiskTargetPlan } from './disk-target.ts';
import { planIoThreads } from './plan-io-threads.ts';

export interface DiskDriverRequest {
  readonly input: DomainInput;
  readonly disk: Disk;
  readonly target: DiskTargetPlan;
  /** Missing for a CD drive without a medium. */
  readonly volume: DomainVolume | undefined;
  readonly field: string;
}

/** How the emulator reads and writes a disk. */
export function diskDriver(request: DiskDriverRequest): XmlElement {
  const { input, disk, target, volume } = request;
  const isOnVirtio = target.bus === 'virtio';
  const cache = cacheOf(request);
  const threads = isOnVirtio ? planIoThreads(input.instance).threadsOf(disk.name) : [];
  const attributes = {
    name: input.style.diskDriver,
    type: volume?.format ?? 'raw',
    cache,
    error_policy: disk.errorPolicy ?? 'stop',
    io: ioModeOf(request, cache),
    discard: target.device === 'disk' && volume?.isPreallocated !== true ? 'unmap' : undefined,
    iothread: threads.length === 1 ? threads[0] : undefined,
    queues: isOnVirtio && hasManyQueues(input) ? topologyOf(input.instance).count : undefined,
    ...(isOnVirtio ? virtioGuard(input) : {}),
  };
  const pool =
    threads.length > 1
      ? [
          element(
            'iothreads',
            {},
            threads.map((id) => element('iothread', { id })),
          ),
        ]
      : [];
  return element('driver', attributes, pool);
}

/** What was asked for; else past the page cache of the host wherever that works, for two caches cost twice. */
function cacheOf({ disk, volume, field }: DiskDriverRequest): string | undefined {
  if (!volume) return undefined;
  if (disk.cache === 'none' && !volume.supportsDirectIo) {
    const message = `the volume "${disk.name}" lies on a file system without direct I/O; use writethrough, or leave it out`;
    throw new DomainXmlError('unsupported-by-node', message, { field: `${field}.cache` });
  }
  return disk.cache ?? (volume.supportsDirectIo ? 'none' : 'writethrough');
}

/** Native I/O needs the direct way, and pays where no block has to be allocated first. */
function ioModeOf({ disk, volume, field }: DiskDriverRequest, cache: string | undefined): string | undefined {
  if (disk.io === 'native' && cache !== 'none') {
    const message = `native I/O needs the cache mode none, and it is ${cache}; use threads, or leave it out`;
    throw new DomainXmlError('unsupported-by-node', message, { field: `${field}.io` });
  }
  if (disk.io !== undefined) return disk.io;
  return cache === 'none' && (volume?.source.kind === 'block' || volume?.isPreallocated === true)
    ? 'native'
    : undefined;
}

function hasManyQueues({ instance }: DomainInput): boolean {
  return instance.spec.domain.devices.blockMultiQueue === true;
}
