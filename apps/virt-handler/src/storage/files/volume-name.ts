import { volumeError } from '../volume-error.ts';
import type { ReleaseRequest } from '../volume-plugin.ts';

/** A name of a directory, and nothing else: the API lets no other through, and here it is looked at again. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a volume may be called so; only then it has files. */
export function isVolumeName(name: string): boolean {
  return NAME.test(name);
}

/** Throws `bad-volume` for a volume that may not be called so: its name becomes part of paths. */
export function requireVolumeName(request: Pick<ReleaseRequest, 'instance' | 'volume'>): void {
  if (isVolumeName(request.volume.name)) return;
  const message = 'use up to 63 small letters, digits and dashes';
  throw volumeError('bad-volume', request, 'name', { message });
}
