import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { findInside } from '../files/inside.ts';
import { unless } from '../files/file-error.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

const DEFAULT_DIRECTORY = 'disk';

/** The image of a container disk: the file that `path` names, or the only one in `/disk`. Nothing outside is found. */
export async function findDiskImage(request: VolumeRequest, root: string): Promise<string> {
  const { path } = request.volume.containerDisk ?? {};
  const wanted = path === undefined || path === '' ? await onlyFile(request, root) : path;
  const found = await findInside(root, wanted);
  if (found.kind === 'found') return found.path;
  if (found.kind === 'missing') {
    const message = `the image holds no file ${wanted}; leave path out, or name a file that is there`;
    throw volumeError('bad-volume', request, 'containerDisk.path', { message });
  }
  const message = `${wanted} leads out of the image; name a file in it`;
  throw volumeError('bad-volume', request, 'containerDisk.path', { message });
}

async function onlyFile(request: VolumeRequest, root: string): Promise<string> {
  const inside = await findInside(root, DEFAULT_DIRECTORY);
  const names = (inside.kind === 'found' && (await readdir(inside.path).catch(unless('ENOENT', 'ENOTDIR')))) || [];
  const [name] = names;
  if (name !== undefined && names.length === 1) return join(DEFAULT_DIRECTORY, name);
  const found = names.length === 0 ? 'no file' : `${names.length} files`;
  const message = `the image has ${found} in /disk, and one is needed; put it there, or name it in path`;
  throw volumeError('bad-volume', request, 'containerDisk.image', { message });
}
