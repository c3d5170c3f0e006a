import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { BedHost } from '@smalt/bed-libvirt';

const ALL = '/sys/fs/cgroup';
const MOUNTED = /^\S+ \S+ \S+ \/ (?<path>\/sys\/fs\/cgroup\S*) .* - (?<type>cgroup2?) \S+ (?<options>\S+)$/;

/** Shows a host the cgroups of this machine, which its own `/sys` lacks. */
export async function showCgroups(host: BedHost): Promise<void> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const mounts = lines.map((line) => MOUNTED.exec(line)?.groups).filter((found) => found !== undefined);
  const hasOneRoot = mounts.some(({ path }) => path === '/sys/fs/cgroup');
  if (!hasOneRoot) await host.exec(['mount', '-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/sys/fs/cgroup']);
  for (const { path = '', type = '', options = '' } of mounts) {
    await host.exec(['mkdir', '-p', path]);
    await host.exec(['mount', '-t', type, '-o', options, 'cgroup', path]);
  }
}

/** Removes a cgroup and those in it from every hierarchy of this machine, once all that was in them has ended. */
export async function removeCgroups(root: string): Promise<void> {
  const trees = (await readdir(ALL, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const place of [ALL, ...trees.map(({ name }) => join(ALL, name))]) await removeTree(join(place, root));
}

async function removeTree(path: string): Promise<void> {
  // Most hierarchies do not have it.
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return;
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(path, entry.name));
  await rmdir(path);
}
