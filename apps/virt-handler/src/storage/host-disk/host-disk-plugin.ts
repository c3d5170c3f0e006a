import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

import type { DirectIo } from '../files/direct-io.ts';
import { ensureLastingDisk } from '../files/ensure-lasting-disk.ts';
import { unless, writeError } from '../files/file-error.ts';
import { findInside } from '../files/inside.ts';
import { mountsVolumes } from '../files/mounts-volumes.ts';
import { rawDisk, requireRoom } from '../files/raw-disk.ts';
import { resolvePath } from '../files/resolve-path.ts';
import { volumeBytes } from '../files/volume-bytes.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { refuseHostPath, resolvePlaces, type HostDiskPlaces } from './host-disk-places.ts';

/** Disk images on the node itself, raw, where the node lets them lie. They stay when the instance goes. */
export function hostDiskPlugin(directIo: DirectIo, places: HostDiskPlaces): VolumePlugin {
  return {
    sources: ['hostDisk'],
    async prepare(request) {
      const path = checkedPath(request);
      await requirePlace(request, path, places);
      const found = await findDisk(request, path);
      if (found === 'directory') {
        return {
          name: request.volume.name,
          source: { kind: 'directory', path },
          format: 'raw',
          supportsDirectIo: false,
        };
      }
      if (found === undefined) await create(request, path, places);
      return rawDisk(directIo, { name: request.volume.name, path, kind: 'file' });
    },
  };
}

function checkedPath(request: VolumeRequest): string {
  const path = request.volume.hostDisk?.path ?? '';
  if (isAbsolute(path) && normalize(path) === path && !path.endsWith('/') && !path.includes('\0')) return path;
  const message = `"${path.slice(0, 80)}" has to begin with a slash, and to have no dots or double slashes in it`;
  throw volumeError('bad-volume', request, 'hostDisk.path', { message });
}

async function requirePlace(request: VolumeRequest, path: string, places: HostDiskPlaces): Promise<void> {
  const refusal = refuseHostPath(await resolvePath(path), await resolvePlaces(places));
  if (refusal === undefined) return;
  throw volumeError('bad-volume', request, 'hostDisk.path', { message: `${path} ${refusal}` });
}

/** A link may lead to another file of the same directory, and no further. */
async function findDisk(request: VolumeRequest, path: string): Promise<'file' | 'directory' | undefined> {
  const directory = await realpath(dirname(path)).catch(unless('ENOENT', 'ENOTDIR'));
  if (directory === undefined) return undefined;
  const found = await findInside(directory, basename(path));
  if (found.kind === 'missing') {
    // A link to nothing: the disk would be made where the link leads to.
    if (!(await lstat(join(directory, basename(path))).catch(unless('ENOENT')))) return undefined;
  } else if (found.kind === 'found') {
    const kind = await lstat(found.path);
    if (kind.isFile()) return 'file';
    if (kind.isDirectory() && mountsVolumes(request)) return 'directory';
    const message = `${path} is neither a file nor a place for one; name a disk image, or use a claim for devices`;
    throw volumeError('bad-volume', request, 'hostDisk.path', { message });
  }
  const message = `${path} is a link that leads out of its directory; name the file that it leads to`;
  throw volumeError('bad-volume', request, 'hostDisk.path', { message });
}

async function create(request: VolumeRequest, path: string, places: HostDiskPlaces): Promise<void> {
  const { type, capacity } = request.volume.hostDisk ?? {};
  if (type !== 'DiskOrCreate') {
    const message = `${path} is not there; make it on this node, or use the type DiskOrCreate`;
    throw volumeError('volume-not-ready', request, 'hostDisk.path', { message });
  }
  if (request.isMigrationTarget) {
    const message = `${path} is not there, and a guest that is migrated needs its contents; share the directory`;
    throw volumeError('volume-not-ready', request, 'hostDisk.path', { message });
  }
  const sizeBytes = volumeBytes(request, 'hostDisk.capacity', capacity ?? '');
  await mkdir(dirname(path), { recursive: true, mode: 0o755 }).catch((error: unknown) => {
    throw writeError(error, dirname(path));
  });
  // A link that led to nothing before leads somewhere now.
  await requirePlace(request, path, places);
  await requireRoom(path, sizeBytes);
  await ensureLastingDisk(path, sizeBytes);
}
