import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { BedHost } from '@smalt/bed-libvirt';

const CGROUP = /^\S+ \S+ \S+ \/ (?<path>\/sys\/fs\/cgroup\S*) .* - (?<type>cgroup2?) \S+ (?<options>\S+)$/;

/** Mounts the cgroups of this machine inside a host: its namespaces have a `/sys` of their own, in which they are missing. */
export async function showCgroups(host: BedHost): Promise<void> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const mounts = lines.map((line) => CGROUP.exec(line)?.groups).filter((found) => found !== undefined);
  const isAlone = mounts.some(({ path }) => path === '/sys/fs/cgroup');
  if (!isAlone) await host.exec(['mount', '-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/sys/fs/cgroup']);
  for (const { path = '', type = '', options = '' } of mounts) {
    await host.exec(['mkdir', '-p', path]);
    await host.exec(['mount', '-t', type, '-o', options, 'cgroup', path]);
    // Beside the first version it limits nothing: libvirt starts no containers where both versions have controllers.
    const isBeside = type === 'cgroup2' && !isAlone;
    if (isBeside) await host.exec(['mount', '--bind', '/dev/null', `${path}/cgroup.controllers`]);
  }
}

/** Removes the cgroups of a host that is gone, which have no processes any more. */
export async function removeCgroups(root: string): Promise<void> {
  const trees = await readdir('/sys/fs/cgroup');
  for (const tree of ['', ...trees]) await removeTree(join('/sys/fs/cgroup', tree, root));
}

async function removeTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(path, entry.name));
  await rmdir(path).catch(() => undefined);
}
