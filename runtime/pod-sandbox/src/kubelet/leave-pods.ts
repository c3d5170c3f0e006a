import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { refuseMove } from '../cgroup/refuse-move.ts';
import { mountAt, parseMountTable, type Mount } from '../mounts/mount-table.ts';
import { PodSandboxError } from '../pod-sandbox-error.ts';
import { PODS_CGROUPS } from './container-cgroup-paths.ts';

/**
 * Moves a process out of the cgroups of the pod that it was started in, so that it does not end with that pod, and gives
 * where it went; nowhere, when it is in none. It must be in the pid namespace of the node. With the second version its cgroup
 * is `name`, beside that of all pods. Throws `process-gone`, `not-permitted` or `failed`.
 */
export async function leavePods(processId: number, name: string): Promise<readonly string[]> {
  const cgroup = await readFile(`/proc/${processId}/cgroup`, 'utf8').catch((cause: unknown) => {
    throw new PodSandboxError('process-gone', `the process ${processId} has ended`, { cause });
  });
  const places = placesOutsidePods(cgroup, await readFile('/proc/self/mountinfo', 'utf8'), name);
  for (const directory of places) {
    await mkdir(directory, { recursive: true })
      .then(() => writeFile(join(directory, 'cgroup.procs'), String(processId)))
      .catch((error: unknown) => refuseMove(error, directory, processId));
  }
  return places;
}

/**
 * The directories of cgroups that a process leaves those of pods for, by the texts of its `cgroup` and of `mountinfo`: that in
 * which its kubelet has the pods, and with the second version one below that, for there only the last ones have processes.
 */
export function placesOutsidePods(cgroup: string, mountInfo: string, name: string): readonly string[] {
  const mounts = parseMountTable(mountInfo);
  const whole = mounts.filter((mount) => mount.root === '/' && mountAt(mounts, mount.mountPoint) === mount);
  return cgroup.split('\n').flatMap((line) => {
    const [number = '', names = '', ...rest] = line.split(':');
    const parts = rest.join(':').split('/');
    const depth = parts.findIndex((part) => PODS_CGROUPS.includes(part));
    const mount = whole.find((each) => isOf(each, number, names));
    if (depth === -1 || mount === undefined) return [];
    return [join(mount.mountPoint, ...parts.slice(0, depth), ...(number === '0' ? [name] : []))];
  });
}

function isOf({ type, options }: Mount, number: string, names: string): boolean {
  if (number === '0') return type === 'cgroup2';
  return type === 'cgroup' && names.split(',').every((name) => options.includes(name));
}
