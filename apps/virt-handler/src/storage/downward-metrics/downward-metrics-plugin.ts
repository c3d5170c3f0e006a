import { availableParallelism, freemem, hostname, totalmem } from 'node:os';

import type { DirectIo } from '../files/direct-io.ts';
import { ensureFile } from '../files/ensure-file.ts';
import { volumeFile } from '../files/volume-files.ts';
import type { VolumePlugin } from '../volume-plugin.ts';
import { METRICS_DISK_BYTES, metricsDisk } from './metrics-disk.ts';

/** A disk from which the guest reads metrics of its host, as they were when it started. */
export function downwardMetricsPlugin(directIo: DirectIo, now: () => Date): VolumePlugin {
  return {
    sources: ['downwardMetrics'],
    async prepare(request) {
      const path = volumeFile(request, 'metrics.img');
      await ensureFile(path, () => ({ bytes: metricsDisk(readMetrics(now())), sizeBytes: METRICS_DISK_BYTES }));
      const supportsDirectIo = await directIo.supports(path);
      return {
        name: request.volume.name,
        source: { kind: 'file', path },
        format: 'raw',
        supportsDirectIo,
        isReadOnly: true,
      };
    },
  };
}

function readMetrics(now: Date): Parameters<typeof metricsDisk>[0] {
  return {
    hostName: hostname(),
    cpus: availableParallelism(),
    freeMemoryKiB: Math.floor(freemem() / 1024),
    totalMemoryKiB: Math.floor(totalmem() / 1024),
    seconds: Math.floor(now.getTime() / 1000),
  };
}
