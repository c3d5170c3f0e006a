import { mkdir, mkdtempDisposable, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { lockFile } from '@smalt/libvirt-daemon';

/** A directory that is made of other files. */
export interface BuiltDirectory {
  readonly path: string;
  /** Whether it is there, and as new as what it is made of. */
  readonly isCurrent: () => Promise<boolean>;
  /** Makes all of it in a directory that is not there yet. */
  readonly build: (directory: string) => Promise<void>;
}

/** Makes a directory unless it is current. Of all that ask at once one builds, and the others wait; what is there is always whole. */
export async function buildOnce({ path, isCurrent, build }: BuiltDirectory, signal: AbortSignal): Promise<void> {
  if (await isCurrent()) return;
  await mkdir(dirname(path), { recursive: true });
  await using lock = await open(`${path}.lock`, 'a', 0o600);
  await lockFile(lock, { isWaitedFor: true, signal });
  // Who was first has built it.
  if (await isCurrent()) return;
  await using building = await mkdtempDisposable(`${path}-building-`);
  const fresh = join(building.path, 'new');
  await build(fresh);
  // No rename puts a directory in the place of a full one.
  await rename(path, join(building.path, 'old')).catch(unlessMissing);
  await rename(fresh, path);
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
