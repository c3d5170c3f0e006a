import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { unless } from './file-error.ts';

/** Where an absolute path leads to, links followed as far as it is there; the rest of it is taken as it stands. */
export async function resolvePath(path: string): Promise<string> {
  const found = await realpath(path).catch(unless('ENOENT', 'ENOTDIR'));
  if (found !== undefined || path === dirname(path)) return found ?? path;
  return join(await resolvePath(dirname(path)), basename(path));
}
