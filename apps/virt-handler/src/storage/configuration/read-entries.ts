import { readdir } from 'node:fs/promises';

import type { ImageFile } from '@smalt/disk-image';

import { findInside } from '../files/inside.ts';
import { readSmallFile } from '../files/read-small-file.ts';
import { sandboxDirectory } from '../files/sandbox-volume.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** A ConfigMap or Secret has at most 1 MiB; a volume may be made of a few. */
const MAX_BYTES = 4 << 20;

/**
 * The entries of a ConfigMap or a Secret that the pod has as a volume. The kubelet shows them by links within the
 * volume; what leads out of it is refused.
 */
export async function readEntries(
  request: VolumeRequest,
  subfield: string,
  podVolume?: string,
): Promise<readonly ImageFile[]> {
  const directory = sandboxDirectory(request, subfield, podVolume);
  const files: ImageFile[] = [];
  // Names that begin with two dots are the kubelet's own.
  for (const path of (await readdir(directory)).filter((name) => !name.startsWith('..')).toSorted()) {
    const real = await findInside(directory, path);
    if (real.kind === 'missing') continue;
    const content = real.kind === 'found' ? await readSmallFile(real.path, MAX_BYTES) : undefined;
    if (content === undefined) {
      const message = `its entry "${path}" is no file of at most ${MAX_BYTES} bytes; leave it out`;
      throw volumeError('bad-volume', request, subfield, { message });
    }
    files.push({ path, content });
  }
  return files;
}
