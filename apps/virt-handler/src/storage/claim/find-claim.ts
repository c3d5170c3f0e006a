import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { findInside } from '../files/inside.ts';
import { pathExists } from '../files/path-exists.ts';
import { showVolume, type Showing } from '../files/show-volume.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** What lies in a claim. */
export type FoundClaim =
  | { readonly kind: 'block'; readonly path: string }
  /** The file of its disk, which may be missing yet. */
  | { readonly kind: 'directory'; readonly path: string; readonly disk: string | undefined };

export const DISK_FILE = 'disk.img';

/**
 * Finds the disk of a claim. Others may write to the claim too: a link there that leads out of it is refused, and one that comes
 * later is not followed where the claim is shown.
 */
export async function findClaim(
  request: VolumeRequest,
  subfield: string,
  signal: AbortSignal,
  showing?: Showing,
): Promise<FoundClaim> {
  const { kind, path } = await showVolume(request, subfield, signal, showing);
  if (kind === 'block') return { kind, path };
  const disk = await findInside(path, DISK_FILE);
  if (disk.kind === 'found' && (await lstat(disk.path)).isFile()) return { kind, path, disk: disk.path };
  // A link to nothing is there, and found is it not.
  if (disk.kind === 'missing' && !(await pathExists(join(path, DISK_FILE)))) return { kind, path, disk: undefined };
  const message = `${DISK_FILE} in the claim is no file of the claim; remove it, and put a raw disk image there`;
  throw volumeError('bad-volume', request, subfield, { message });
}
