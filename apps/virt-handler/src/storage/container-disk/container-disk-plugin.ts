import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { describeDiskImage, DiskImageError, IMAGE_HEAD_BYTES, type DiskImageDescription } from '@smalt/disk-image';
import type { DomainVolume } from '@smalt/domain-xml';

import { copyOnce } from '../files/copy-once.ts';
import type { DirectIo } from '../files/direct-io.ts';
import { ensureLink } from '../files/ensure-file.ts';
import { mountsVolumes } from '../files/mounts-volumes.ts';
import { prepareOverlay } from '../files/overlay.ts';
import { sandboxDirectory, sandboxVolume } from '../files/sandbox-volume.ts';
import { hideVolume, showVolume } from '../files/show-volume.ts';
import { volumeFile } from '../files/volume-files.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { findDiskImage } from './find-disk-image.ts';
import { isReadableByAll } from './is-readable-by-all.ts';

/** Disk images in images of containers: read only, with an overlay that goes with the instance. */
export function containerDiskPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['containerDisk'],
    async prepare(request, signal) {
      const root = await imageRoot(request, signal);
      const image = await findDiskImage(request, root);
      const { format, virtualSizeBytes } = await describe(request, image);
      // The pod has another directory on each node, and the overlay names what lies under it.
      const base = volumeFile(request, `base.${format}`);
      if (isRuntimesImage(request) && !(await isReadableByAll(root, image))) await copyImage(request, image, base);
      else await ensureLink(image, base);
      if (format === 'raw' && mountsVolumes(request)) return copyOf(directIo, request, base);
      const backing = { source: { kind: 'file', path: base }, format } as const;
      return prepareOverlay(directIo, request, { virtualSizeBytes, backing, subfield: 'containerDisk.image' });
    },
    release: hideVolume,
  };
}

async function imageRoot(request: VolumeRequest, signal: AbortSignal): Promise<string> {
  sandboxDirectory(request, 'containerDisk.image');
  return (await showVolume(request, 'containerDisk.image', signal)).path;
}

/** Of what a container runtime has mounted libvirt cannot change the owner. */
function isRuntimesImage(request: VolumeRequest): boolean {
  return sandboxVolume(request, 'containerDisk.image').isImage === true;
}

/** Told by content, and refused when the image names other files: they would be files of this node. */
async function describe(request: VolumeRequest, path: string): Promise<DiskImageDescription> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile()) {
    throw volumeError('bad-volume', request, 'containerDisk.path', { message: 'it names no file' });
  }
  const head = Buffer.alloc(IMAGE_HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  try {
    return describeDiskImage(head.subarray(0, bytesRead), found.size);
  } catch (error) {
    if (!(error instanceof DiskImageError)) throw error;
    throw volumeError('bad-volume', request, 'containerDisk.image', { message: error.message, cause: error });
  }
}

/** A container mounts its disk by a loop device, which shows raw images alone. */
async function copyOf(directIo: DirectIo, request: VolumeRequest, base: string): Promise<DomainVolume> {
  const path = volumeFile(request, 'disk.img');
  await copyImage(request, base, path);
  const supportsDirectIo = await directIo.supports(path);
  return { name: request.volume.name, source: { kind: 'file', path }, format: 'raw', supportsDirectIo };
}

/** A copy counts against the room of the node: no kubelet knows of it. */
async function copyImage(request: VolumeRequest, source: string, path: string): Promise<void> {
  await copyOnce(source, path, (message) => volumeError('disk-full', request, 'containerDisk.image', { message }));
}
