import { lstat } from 'node:fs/promises';

import { unless } from './file-error.ts';

/** Whether something is there, be it a link that leads nowhere. */
export async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(unless('ENOENT', 'ENOTDIR'))) !== undefined;
}
