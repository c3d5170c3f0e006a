import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { BedError } from './error.ts';

/** Not /tmp, where any user could make it first, nor /run: guests open disks in a way that Linux 6.1's tmpfs refuses. */
const PARENT = '/var/cache/smalt/bed';

/** A directory that goes when it is disposed of; short, because sockets lie in it. */
export interface BedDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Makes a directory that bears its owner's pid, and removes those of owners that were killed. */
export async function openBedDirectory(parent: string = PARENT): Promise<BedDirectory> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await requirePrivate(parent);
  await sweep(parent);
  const path = await mkdtemp(join(parent, `${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

async function requirePrivate(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw new BedError('unsafe-directory', `${path} must be a directory of mode 0700 that belongs to you: remove it`);
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = Number(name.split('-')[0]);
    if (Number.isInteger(owner) && !isProcessAlive(owner)) await remove(join(parent, name));
  }
}

/** Whether a process with this pid exists, of whatever user. */
function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
