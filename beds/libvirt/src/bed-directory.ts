import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that goes when it is disposed of; short, because sockets lie in it. */
export interface BedDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Makes a directory that bears its owner's pid, and removes those of owners that were killed. */
export async function openBedDirectory(): Promise<BedDirectory> {
  const parent = join(tmpdir(), 'smalt-bed');
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const path = await mkdtemp(join(parent, `${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = Number(name.split('-')[0]);
    if (Number.isInteger(owner) && !isProcessAlive(owner)) await remove(join(parent, name));
  }
}

/** Whether a process with this pid exists, of whatever user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
