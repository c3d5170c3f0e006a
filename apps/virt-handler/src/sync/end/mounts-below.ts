import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { parseMountTable } from '@smalt/pod-sandbox';

import { unless } from '../../storage/files/file-error.ts';

type KnownMount = ReturnType<typeof parseMountTable>[number];

/** The mount points inside a directory, whatever links lead to it. */
export async function mountsBelow(path: string): Promise<readonly string[]> {
  const real = await realpath(path).catch(unless('ENOENT'));
  if (real === undefined) return [];
  return (await mounts()).map(({ mountPoint }) => mountPoint).filter((mountPoint) => mountPoint.startsWith(`${real}/`));
}

/** How many mounts lie on each other at exactly this place. */
export async function countMountsAt(place: string): Promise<number> {
  return (await mountsAt(place)).length;
}

/** What the topmost mount at exactly this place allows, `ro` or `nosymfollow`; undefined where none is. */
export async function mountFlagsAt(place: string): Promise<readonly string[] | undefined> {
  return (await mountsAt(place)).at(-1)?.flags;
}

/** Whether processes with mounts of their own, as libvirt may be, see what is mounted at a place. */
export async function isMountPassedOn(place: string): Promise<boolean> {
  const parent = await realpath(dirname(place));
  const around = (await mounts()).filter(({ mountPoint }) => isWithin(parent, mountPoint));
  // Of mounts on each other the last counts, as everywhere.
  const closest = around.toSorted((left, right) => left.mountPoint.length - right.mountPoint.length).at(-1);
  return closest?.isShared === true;
}

function isWithin(path: string, mountPoint: string): boolean {
  return path === mountPoint || path.startsWith(mountPoint === '/' ? '/' : `${mountPoint}/`);
}

async function mountsAt(place: string): Promise<readonly KnownMount[]> {
  // The place itself is not looked at: what is mounted there may hang.
  const parent = await realpath(dirname(place)).catch(unless('ENOENT'));
  if (parent === undefined) return [];
  return (await mounts()).filter(({ mountPoint }) => mountPoint === join(parent, basename(place)));
}

/** As the kernel has them: without links. */
async function mounts(): Promise<readonly KnownMount[]> {
  return parseMountTable(await readFile('/proc/self/mountinfo', 'utf8'));
}
