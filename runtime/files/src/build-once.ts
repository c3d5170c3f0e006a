import { mkdir, mkdtempDisposable, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { lockFile } from './lock-file.ts';

/** A directory that is made of other files. */
export interface BuiltDirectory<Built> {
  readonly path: string;
  /** Whether it is there, and newer than what it is made of. Without it, it is made anew in any case. */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
  /** Makes all of it in a directory that is not there yet. */
  readonly build: (directory: string) => Promise<Built>;
  /** The file in it whose time tells how new it is. */
  readonly dated: string;
}

/**
 * Makes a directory unless it is current, and gives what was told of the making. Of all that ask at once, in whatever process, one
 * builds, and the others wait; what is there is always whole.
 */
export async function buildOnce<Built>(
  { path, isCurrent = never, build, dated }: BuiltDirectory<Built>,
  signal: AbortSignal,
): Promise<Built | undefined> {
  if (await isCurrent()) return undefined;
  await mkdir(dirname(path), { recursive: true });
  await using lock = await open(`${path}.lock`, 'a', 0o600);
  await lockFile(lock, { isWaitedFor: true, signal });
  // Who was first has built it.
  if (await isCurrent()) return undefined;
  await sweep(path);
  await using building = await mkdtempDisposable(`${path}${BUILDING}`);
  const fresh = join(building.path, 'new');
  const beganAt = new Date();
  const built = await build(fresh);
  // What was changed while it was built may not be in it.
  await utimes(join(fresh, dated), beganAt, beganAt);
  // No rename puts a directory in the place of a full one.
  await rename(path, join(building.path, 'old')).catch(unlessMissing);
  await rename(fresh, path);
  return built;
}

const BUILDING = '-building-';

/** Removes what others began who were killed: who has the lock is the only one that builds. */
async function sweep(path: string): Promise<void> {
  const prefix = `${basename(path)}${BUILDING}`;
  const left = (await readdir(dirname(path))).filter((name) => name.startsWith(prefix));
  // A program that outlives who was killed may still write there.
  const how = { recursive: true, force: true, maxRetries: 3 };
  await Promise.all(left.map((name) => rm(join(dirname(path), name), how)));
}

async function never(): Promise<boolean> {
  return false;
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
