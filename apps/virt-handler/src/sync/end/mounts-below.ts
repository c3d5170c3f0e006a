import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { parseMountTable } from '@smalt/pod-sandbox';

import { unless } from '../../storage/files/file-error.ts';

/** The mount points inside a directory, whatever links lead to it. */
export async function mountsBelow(path: string): Promise<readonly string[]> {
  const real = await realpath(path).catch(unless('ENOENT'));
  return real === undefined ? [] : (await mountPoints()).filter((mount) => mount.startsWith(`${real}/`));
}

/** How many mounts lie on each other at exactly this place. */
export async function countMountsAt(place: string): Promise<number> {
  // The place itself is not looked at: what is mounted there may hang.
  const parent = await realpath(dirname(place)).catch(unless('ENOENT'));
  if (parent === undefined) return 0;
  return (await mountPoints()).filter((mount) => mount === join(parent, basename(place))).length;
}

/** As the kernel has them: without links. */
async function mountPoints(): Promise<readonly string[]> {
  return parseMountTable(await readFile('/proc/self/mountinfo', 'utf8')).map(({ mountPoint }) => mountPoint);
}
