import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const TREES = '/sys/fs/cgroup';

/** Removes a cgroup and those in it from every tree, as far as no process is in them. */
export async function removeCgroups(root: string): Promise<void> {
  for (const tree of ['', ...(await readdir(TREES))]) await removeTree(join(TREES, tree, root));
}

async function removeTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(path, entry.name));
  // One with a process in it is in use by others.
  await rmdir(path).catch(() => undefined);
}
