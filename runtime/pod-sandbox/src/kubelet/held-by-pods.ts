import { parseMountTable } from '../mounts/mount-table.ts';
import { PODS_CGROUPS } from './container-cgroup-paths.ts';

/**
 * The mount points of the hierarchies of the first version in which a process is in the cgroup of a pod, by the texts of its
 * `cgroup` and of `mountinfo`. The second version has one for everything.
 */
export function heldByPods(cgroup: string, mountInfo: string): readonly string[] {
  const mounts = parseMountTable(mountInfo).filter(({ type }) => type === 'cgroup');
  return cgroup.split('\n').flatMap((line) => {
    const [, names = '', ...path] = line.split(':');
    const isHeld = path
      .join(':')
      .split('/')
      .some((part) => PODS_CGROUPS.includes(part));
    if (!isHeld || names === '') return [];
    const mount = mounts.find(({ options }) => names.split(',').every((name) => options.includes(name)));
    return mount === undefined ? [] : [mount.mountPoint];
  });
}
