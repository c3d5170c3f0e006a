import { parseMountTable } from '../mounts/mount-table.ts';

/** One tree of cgroups of this machine. */
export interface Hierarchy {
  readonly version: 1 | 2;
  readonly mountPoint: string;
  /** What can be limited in it. */
  readonly controllers: readonly string[];
}

/** What a pod is limited by. */
const WANTED = ['cpu', 'cpuset', 'memory', 'pids'];

/**
 * The trees that matter to pods, by the text of `mountinfo`: the second version, which tells when a cgroup becomes
 * empty, and those of the first that limit something the second does not.
 */
export function chooseHierarchies(mountInfo: string, unifiedControllers: readonly string[]): readonly Hierarchy[] {
  const mounts = parseMountTable(mountInfo);
  const unified = mounts.find(({ type }) => type === 'cgroup2');
  const left = new Set(WANTED);
  const chosen: Hierarchy[] = [];
  if (unified !== undefined) {
    const controllers = unifiedControllers.filter((name) => left.delete(name));
    chosen.push({ version: 2, mountPoint: unified.mountPoint, controllers });
  }
  for (const { type, mountPoint, options } of mounts) {
    if (type !== 'cgroup') continue;
    const controllers = options.filter((name) => left.delete(name));
    if (controllers.length > 0) chosen.push({ version: 1, mountPoint, controllers });
  }
  return chosen;
}

/** Where the second version is mounted; undefined where it is not. */
export function unifiedMountPoint(mountInfo: string): string | undefined {
  return parseMountTable(mountInfo).find(({ type }) => type === 'cgroup2')?.mountPoint;
}
