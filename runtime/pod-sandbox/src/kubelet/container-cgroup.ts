import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { readIfThere } from '@smalt/files';

import { Cgroups } from '../cgroup/cgroups.ts';
import type { Hierarchy } from '../cgroup/hierarchy.ts';
import { PodSandboxError } from '../pod-sandbox-error.ts';
import { parseProcessors } from '../processors.ts';
import { containerCgroupPaths, PODS_CGROUPS, type ContainerNames } from './container-cgroup-paths.ts';
import { heldByPods } from './held-by-pods.ts';

/** How far from the root the cgroup of all pods is looked for, and among how many. */
const MOST_LEVELS = 3;
const MOST_LOOKS = 2_000;
/** How long it is not looked for again: each container that has ended would be a reason to. */
const SEARCH_MS = 10_000;

/** The cgroup of a container, in all hierarchies that have it. */
export interface ContainerCgroup {
  /** Below the root of each hierarchy. */
  readonly path: string;
  readonly hierarchies: readonly Hierarchy[];
  /** The one in which the processes of a guest are told from those of the container itself. */
  readonly counting: Hierarchy;
}

/** Looks for the cgroups of containers; what it has found once it looks for first. */
export class ContainerCgroups {
  readonly #cgroups: Cgroups;
  /** The cgroups that kubelets of this machine stay in. */
  readonly #roots = new Set(['']);
  readonly #now: () => number;
  /** When a search has found a kubelet last. */
  #searchedAt: number | undefined;

  constructor(cgroups: Cgroups, now: () => number = () => performance.now()) {
    this.#cgroups = cgroups;
    this.#now = now;
  }

  /** The cgroup of a container; undefined as long as, and as soon as, it has none. */
  async find(names: ContainerNames): Promise<ContainerCgroup | undefined> {
    const found = await this.#findBelow([...this.#roots], names);
    if (found !== undefined) return found;
    const now = this.#now();
    if (this.#searchedAt !== undefined && now - this.#searchedAt < SEARCH_MS) return undefined;
    const roots = await this.#searchRoots();
    if (roots.length > 0) this.#searchedAt = now;
    const others = roots.filter((root) => !this.#roots.has(root));
    for (const root of others) this.#roots.add(root);
    return others.length === 0 ? undefined : await this.#findBelow(others, names);
  }

  async #findBelow(roots: readonly string[], names: ContainerNames): Promise<ContainerCgroup | undefined> {
    const paths = containerCgroupPaths(names);
    for (const path of roots.flatMap((root) => paths.map((each) => `${root}${each}`))) {
      const hierarchies: Hierarchy[] = [];
      for (const each of this.#cgroups.hierarchies) {
        if (await isDirectory(join(each.mountPoint, path))) hierarchies.push(each);
      }
      const counting = countingHierarchy(hierarchies);
      if (counting !== undefined) return { path, hierarchies, counting };
    }
    return undefined;
  }

  /** A kubelet may have been told to stay below another cgroup than the root. */
  async #searchRoots(): Promise<readonly string[]> {
    const counting = countingHierarchy(this.#cgroups.hierarchies);
    if (counting === undefined) return [];
    const roots: string[] = [];
    let level = [''];
    let looks = 0;
    for (let depth = 0; depth < MOST_LEVELS; depth++) {
      const next: string[] = [];
      for (const path of level.slice(0, Math.max(0, MOST_LOOKS - looks))) {
        looks++;
        const names = await directoriesIn(join(counting.mountPoint, path));
        if (names.some((name) => PODS_CGROUPS.includes(name))) roots.push(path);
        next.push(...names.filter((name) => !PODS_CGROUPS.includes(name)).map((name) => `${path}/${name}`));
      }
      level = next;
    }
    return roots;
  }
}

/**
 * The hierarchy that both the handler and the launcher in its container see: that of numbers of processes where cgroups of
 * the first version have one, for a container is not shown the second version then.
 */
export function countingHierarchy(hierarchies: readonly Hierarchy[]): Hierarchy | undefined {
  const first = hierarchies.find(({ version, controllers }) => version === 1 && controllers.includes('pids'));
  return first ?? hierarchies.find(({ version }) => version === 2);
}

/**
 * Moves processes of a guest into the cgroup of its container. A cgroup of their own, `guest`, they have where they are
 * counted, and none elsewhere: a kubelet could not take processors from a container whose cgroup has others below it.
 */
export async function moveIntoContainer(
  container: ContainerCgroup,
  processIds: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const { path, hierarchies, counting } = container;
  const guest = `${path}/guest`;
  const others = hierarchies.filter((each) => each !== counting);
  await makeGuest(join(counting.mountPoint, guest), path);
  for (const processId of processIds) {
    signal.throwIfAborted();
    // The last one tells the launcher that its guest is here.
    if (others.length > 0) await new Cgroups(others).moveInto(path, processId);
    await leaveOtherPods(container, processId);
    await new Cgroups([counting]).moveInto(guest, processId);
  }
}

/**
 * A libvirtd that is a pod starts guests in its own cgroups, and moves them out of those that it knows. Of the others, such as
 * `name=systemd`, the kubelet would kill a guest when that pod goes.
 */
async function leaveOtherPods({ path, hierarchies }: ContainerCgroup, processId: number): Promise<void> {
  const cgroup = await readIfThere(`/proc/${processId}/cgroup`);
  const mountPoints = heldByPods(cgroup, await readFile('/proc/self/mountinfo', 'utf8'));
  for (const mountPoint of mountPoints) {
    const isMoved = hierarchies.some((each) => each.mountPoint === mountPoint);
    if (isMoved || !(await isDirectory(join(mountPoint, path)))) continue;
    await new Cgroups([{ version: 1, mountPoint, controllers: [] }]).moveInto(path, processId);
  }
}

/** The processors that a container may use; undefined where no cgroup says so. */
export async function processorsOfContainer({
  path,
  hierarchies,
}: ContainerCgroup): Promise<readonly number[] | undefined> {
  const hierarchy = hierarchies.find(({ controllers }) => controllers.includes('cpuset'));
  if (hierarchy === undefined) return undefined;
  const name = hierarchy.version === 2 ? 'cpuset.cpus.effective' : 'cpuset.cpus';
  const processors = parseProcessors(await readIfThere(join(hierarchy.mountPoint, path, name)));
  return processors.length === 0 ? undefined : processors;
}

async function makeGuest(directory: string, path: string): Promise<void> {
  await mkdir(directory).catch((cause: unknown) => {
    const code = codeOf(cause);
    if (code === 'EEXIST') return;
    if (code === 'ENOENT' || code === 'ENODEV') {
      throw new PodSandboxError('cgroup-gone', `there is no cgroup ${path}: its container has ended`, { cause });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
    const message = `the cgroup of a guest cannot be made: ${reason}`;
    throw new PodSandboxError(isForbidden ? 'not-permitted' : 'failed', message, { cause });
  });
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR', 'ENODEV'].includes(String(codeOf(error)))) return false;
      throw error;
    },
  );
}

async function directoriesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (['ENOENT', 'ENODEV'].includes(String(codeOf(error)))) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
