import { readFile } from 'node:fs/promises';

import type { BedHost } from '@smalt/bed-libvirt';

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
