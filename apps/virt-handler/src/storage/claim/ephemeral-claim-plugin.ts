import type { DirectIo } from '../files/direct-io.ts';
import { diskSizeBytes } from '../files/disk-size.ts';
import { ensureSymbolicLink } from '../files/ensure-file.ts';
import { prepareOverlay } from '../files/overlay.ts';
import { hideVolume } from '../files/show-volume.ts';
import { volumeFile } from '../files/volume-files.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin } from '../volume-plugin.ts';
import { DISK_FILE, findClaim } from './find-claim.ts';

/** Claims that are only read, under an overlay that goes with the instance. */
export function ephemeralClaimPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['ephemeral'],
    release: hideVolume,
    async prepare(request, signal) {
      const subfield = 'ephemeral.persistentVolumeClaim.claimName';
      const claim = await findClaim(request, subfield, signal);
      const target = claim.kind === 'block' ? claim.path : claim.disk;
      if (target === undefined) {
        const message = `the claim holds no ${DISK_FILE} to read; put a raw disk image there`;
        throw volumeError('volume-not-ready', request, subfield, { message });
      }
      const base = volumeFile(request, 'base.raw');
      await ensureSymbolicLink(target, base);
      const kind = claim.kind === 'block' ? 'block' : 'file';
      const backing = { source: { kind, path: base }, format: 'raw' } as const;
      return prepareOverlay(directIo, request, { virtualSizeBytes: await diskSizeBytes(base), backing, subfield });
    },
  };
}
