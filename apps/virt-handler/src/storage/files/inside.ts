import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { unless } from './file-error.ts';

export type Found = { readonly kind: 'found'; readonly path: string } | { readonly kind: 'missing' | 'outside' };

/** The real path of something below a directory, unless it leads out of the directory, by dots or by links. */
export async function findInside(directory: string, path: string): Promise<Found> {
  const root = await realpath(directory).catch(unless('ENOENT', 'ENOTDIR'));
  if (root === undefined) return { kind: 'missing' };
  const wanted = join(root, path);
  if (!isInside(root, wanted)) return { kind: 'outside' };
  const found = await realpath(wanted).catch(unless('ENOENT', 'ENOTDIR'));
  if (found === undefined) return { kind: 'missing' };
  return isInside(root, found) ? { kind: 'found', path: found } : { kind: 'outside' };
}

/** Whether a path is below a directory; both are real and absolute. */
export function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
