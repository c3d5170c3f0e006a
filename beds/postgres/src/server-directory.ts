import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'smalt-postgres-';

/** A directory that goes when it is disposed of. */
export interface ServerDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Makes a directory that bears its owner's pid, and removes those of owners that were killed. */
export async function openServerDirectory(): Promise<ServerDirectory> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(owner) && !isAlive(owner)) await remove(join(tmpdir(), name));
  }
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
