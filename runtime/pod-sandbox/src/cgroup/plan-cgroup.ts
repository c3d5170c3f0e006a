import { dirname, join } from 'node:path';

import { limitFiles, type CgroupLimits } from './cgroup-limits.ts';
import type { Hierarchy } from './hierarchy.ts';

/** One step on the way to a cgroup, in this order. */
export type CgroupStep =
  | { readonly kind: 'make'; readonly directory: string }
  /** Lets children of a cgroup be limited. */
  | { readonly kind: 'enable'; readonly file: string; readonly controller: string }
  | { readonly kind: 'limit'; readonly file: string; readonly controller: string; readonly value: string }
  /** Lets processes in: takes what the cgroup above has where this one has nothing yet. */
  | { readonly kind: 'inherit'; readonly file: string; readonly from: string; readonly controller: string };

export interface CgroupPlan {
  /** Below the root of each hierarchy. */
  readonly path: string;
  /** The cgroups in it that processes go to. */
  readonly leaves: readonly string[];
  readonly limits: CgroupLimits;
}

/** How to make a cgroup with limits, and its leaves, in one hierarchy. */
export function planCgroup(hierarchy: Hierarchy, { path, leaves, limits }: CgroupPlan): readonly CgroupStep[] {
  const { mountPoint, version, controllers } = hierarchy;
  const directories = ancestors(path).map((ancestor) => join(mountPoint, ancestor));
  const own = join(mountPoint, path);
  const files = limitFiles(version, limits).filter(({ controller }) => controllers.includes(controller));
  return [
    ...directories.flatMap((directory, index): readonly CgroupStep[] => [
      { kind: 'make', directory },
      ...(index === 0 ? [] : inheriting(hierarchy, directory)),
      // The first version has every controller of a tree everywhere in it.
      ...(version === 1 ? [] : controllers.map((controller) => enabling(directory, controller))),
    ]),
    { kind: 'make', directory: own },
    ...inheriting(hierarchy, own),
    ...files.map(({ controller, file, value }): CgroupStep => {
      return { kind: 'limit', file: join(own, file), controller, value };
    }),
    ...leaves.flatMap((leaf): readonly CgroupStep[] => [
      { kind: 'make', directory: join(own, leaf) },
      ...inheriting(hierarchy, join(own, leaf)),
    ]),
  ];
}

/** In the first version no process may enter a cgroup before it has processors and cells of memory. */
function inheriting({ version, controllers }: Hierarchy, directory: string): readonly CgroupStep[] {
  if (version === 2 || !controllers.includes('cpuset')) return [];
  return ['cpuset.mems', 'cpuset.cpus'].map((name) => ({
    kind: 'inherit',
    file: join(directory, name),
    from: join(dirname(directory), name),
    controller: 'cpuset',
  }));
}

/** The controllers of these limits that no hierarchy has. */
export function missingControllers(hierarchies: readonly Hierarchy[], limits: CgroupLimits): readonly string[] {
  const wanted = new Set(limitFiles(2, limits).map(({ controller }) => controller));
  for (const { controllers } of hierarchies) for (const name of controllers) wanted.delete(name);
  return [...wanted];
}

function enabling(directory: string, controller: string): CgroupStep {
  return { kind: 'enable', file: join(directory, 'cgroup.subtree_control'), controller };
}

/** All cgroups above a path, the root first. */
function ancestors(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((_, index) => `/${names.slice(0, index).join('/')}`);
}
