import { join } from 'node:path';

import type { PersistentVolumeClaimInfo } from '@smalt/vm-api';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { DirectIo } from '../files/direct-io.ts';
import { ensureSymbolicLink } from '../files/ensure-file.ts';
import { ensureLastingDisk } from '../files/ensure-lasting-disk.ts';
import { isSharedDirectory, mountsVolumes } from '../files/mounts-volumes.ts';
import { pathExists } from '../files/path-exists.ts';
import { freeBytes, rawDisk } from '../files/raw-disk.ts';
import { sandboxVolume } from '../files/sandbox-volume.ts';
import { hideVolume } from '../files/show-volume.ts';
import { volumeBytes } from '../files/volume-bytes.ts';
import { volumeFile } from '../files/volume-files.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { DISK_FILE, findClaim } from './find-claim.ts';
import { planClaimDisk } from './plan-claim-disk.ts';

/** Claims, as disks: a block device, or the file `disk.img`, which is made as large as the claim when it is missing. */
export function claimPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['persistentVolumeClaim', 'dataVolume'],
    release: hideVolume,
    async prepare(request, signal) {
      const { name, persistentVolumeClaim } = request.volume;
      const subfield = persistentVolumeClaim ? 'persistentVolumeClaim.claimName' : 'dataVolume.name';
      const isReadOnly = persistentVolumeClaim?.readOnly === true;
      const isDirectory = isSharedDirectory(request) || (await isDirectoryForContainer(request, subfield));
      // Links in a directory are the guest's to follow; those in the place of a disk libvirt would.
      const showing = { followsLinks: isDirectory, isReadOnly: isReadOnly && isDirectory && !mountsVolumes(request) };
      const claim = await findClaim(request, subfield, signal, showing);
      // The pod has another directory on each node; the guest's domain names this one.
      const path = volumeFile(request, claim.kind === 'block' ? 'disk' : isDirectory ? 'directory' : DISK_FILE);
      if (claim.kind === 'block') {
        await ensureSymbolicLink(claim.path, path);
        return rawDisk(directIo, { name, path, kind: 'block', isReadOnly });
      }
      if (isDirectory) {
        await ensureSymbolicLink(claim.path, path);
        const source = { kind: 'directory', path, isMountedReadOnly: showing.isReadOnly || undefined } as const;
        return { name, source, format: 'raw', supportsDirectIo: false, isReadOnly };
      }
      const disk = claim.disk ?? (await createDisk(request, claim.path, { subfield, isReadOnly }));
      await ensureSymbolicLink(disk, path);
      return rawDisk(directIo, { name, path, kind: 'file', isReadOnly });
    },
  };
}

/** It is so before the claim is shown: nobody can make a disk of it afterwards. */
async function isDirectoryForContainer(request: VolumeRequest, subfield: string): Promise<boolean> {
  if (!mountsVolumes(request)) return false;
  const { kind, path } = sandboxVolume(request, subfield);
  return kind === 'directory' && !(await pathExists(join(path, DISK_FILE)));
}

async function createDisk(
  request: VolumeRequest,
  directory: string,
  { subfield, isReadOnly }: { readonly subfield: string; readonly isReadOnly: boolean },
): Promise<string> {
  if (isReadOnly || request.isMigrationTarget) {
    const why = isReadOnly ? 'it may only be read' : 'the guest comes with its contents from another node';
    const message = `the claim holds no ${DISK_FILE}, and none can be made because ${why}; put a raw disk image there`;
    throw volumeError('volume-not-ready', request, subfield, { message });
  }
  const path = join(directory, DISK_FILE);
  const info = claimInfo(request);
  const amount = info?.capacity?.['storage'] ?? info?.requests?.['storage'];
  const capacityBytes = amount === undefined ? undefined : volumeBytes(request, subfield, amount);
  const plan = planClaimDisk({ capacityBytes, overhead: info?.filesystemOverhead, freeBytes: await freeBytes(path) });
  switch (plan.kind) {
    case 'create':
      await ensureLastingDisk(path, plan.sizeBytes);
      return path;
    case 'unknown-size': {
      const message = `the size of the claim is not known yet; see status.volumeStatus, and whether the claim is bound`;
      throw volumeError('volume-not-ready', request, subfield, { message });
    }
    case 'too-little-room': {
      const message = `The claim has too little room for its disk of ${plan.neededBytes} bytes; make room in it`;
      throw new VirtHandlerError('disk-full', message);
    }
  }
}

function claimInfo({ instance, volume }: VolumeRequest): PersistentVolumeClaimInfo | undefined {
  return instance.status?.volumeStatus?.find(({ name }) => name === volume.name)?.persistentVolumeClaimInfo;
}
