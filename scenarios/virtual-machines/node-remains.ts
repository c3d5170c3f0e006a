import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { connect } from '@smalt/libvirt';

import type { VmHost } from './vm-host.ts';

const CGROUPS = '/sys/fs/cgroup';

/** Everything that guests and pods have left on a node: domains, processes, devices, cgroups and files. */
export async function nodeRemains(host: VmHost): Promise<readonly string[]> {
  await using connection = await connect(host.machine.uri);
  const domains = await connection.connectListAllDomains();
  const [processes, links, cgroups, files] = await Promise.all([
    host.machine.exec(['ps', '-eo', 'args=']),
    host.machine.exec(['ip', '-brief', 'link']),
    podCgroups(host.cgroupRoot),
    filesIn(host.directory),
  ]);
  return [
    ...domains.map(({ name }) => `domain ${name}`),
    ...lines(processes, /qemu-system|virt-launcher/).map((line) => `process ${line}`),
    ...lines(links, /^vnet|^tap|^sm[0-9a-f]{4}/).map((line) => `device ${line}`),
    ...cgroups.map((path) => `cgroup ${path}`),
    ...files.map((path) => `file ${path}`),
  ];
}

function lines(text: string, pattern: RegExp): readonly string[] {
  return text.split('\n').filter((line) => pattern.test(line));
}

async function podCgroups(root: string): Promise<readonly string[]> {
  const trees = await readdir(CGROUPS);
  const places = [CGROUPS, ...trees.map((tree) => join(CGROUPS, tree))].map((tree) => join(tree, root, 'smalt/pods'));
  const found = await Promise.all(places.map((place) => directoriesIn(place)));
  return found.flat();
}

/** The addresses of machines are remembered on purpose, so that they have them again. */
async function filesIn(directory: string): Promise<readonly string[]> {
  const places = ['vh/instances', 'pods'];
  return (await Promise.all(places.map((place) => directoriesIn(join(directory, place))))).flat();
}

async function directoriesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
}
