import { constants } from 'node:fs';
import { chown, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PodSandboxError } from '../pod-sandbox-error.ts';
import { parseProcessors } from '../processors.ts';
import { checkCgroupPath } from './check-cgroup-path.ts';
import { chooseHierarchies, unifiedMountPoint, type Hierarchy } from './hierarchy.ts';
import { killProcesses } from './kill-processes.ts';
import { isPopulated, untilOccupancy, watchOccupancy } from './occupancy.ts';
import { missingControllers, planCgroup, type CgroupPlan, type CgroupStep } from './plan-cgroup.ts';
import { planConfinement } from './plan-confinement.ts';
import { childrenOf, processIdsBelow } from './process-ids.ts';
import { refuseMove } from './refuse-move.ts';

const KILL_TIMEOUT_MS = 10_000;

/** The cgroups of this machine. A path is below the root of each hierarchy, such as `/smalt/pods/UID/guest`. */
export class Cgroups {
  readonly hierarchies: readonly Hierarchy[];
  /** The one that processes are found by. */
  readonly #first: Hierarchy;

  constructor(hierarchies: readonly Hierarchy[]) {
    const [first] = hierarchies;
    if (first === undefined) {
      throw new PodSandboxError(
        'no-hierarchy',
        'there are no cgroups on this machine: mount cgroup2 at /sys/fs/cgroup',
      );
    }
    this.hierarchies = hierarchies;
    this.#first = first;
  }

  /** Makes a cgroup in every hierarchy, and says what could not be limited, in sentences. */
  async make(plan: CgroupPlan): Promise<readonly string[]> {
    checkCgroupPath(plan.path);
    const problems = missingControllers(this.hierarchies, plan.limits).map(
      (name) => `${name} cannot be limited: this machine has no cgroup controller for it`,
    );
    // All at a time, for there may be five; and to their ends: who removes the cgroup after a failure must not meet them.
    const made = await Promise.allSettled(this.hierarchies.map((hierarchy) => makeIn(hierarchy, plan)));
    for (const each of made) {
      if (each.status === 'rejected') throw each.reason;
      problems.push(...each.value);
    }
    return [...new Set(problems)];
  }

  /**
   * Lets a cgroup and its leaves run on these processors alone, and says what hinders it, in sentences. In the first version
   * threads forget then what they were pinned to.
   */
  async confine(path: string, leaves: readonly string[], processors: readonly number[]): Promise<readonly string[]> {
    checkCgroupPath(path);
    const hierarchy = this.hierarchies.find(({ controllers }) => controllers.includes('cpuset'));
    if (hierarchy === undefined) return ['cpuset cannot be limited: this machine has no cgroup controller for it'];
    const own = join(hierarchy.mountPoint, path);
    const before = await processorsIn(own);
    // A pod that has ended needs none.
    if (before === undefined) return [];
    const problems: string[] = [];
    for (const step of planConfinement(hierarchy, { own, leaves, processors, before })) {
      problems.push(...(await carryOut(step)));
    }
    return problems;
  }

  /** Whether pods can be given processors of their own here. */
  get canConfine(): boolean {
    return this.hierarchies.some(({ controllers }) => controllers.includes('cpuset'));
  }

  /** Moves a process with all its threads. Throws `cgroup-gone` or `process-gone`. */
  async moveInto(path: string, processId: number): Promise<void> {
    checkCgroupPath(path);
    for (const hierarchy of this.hierarchies) {
      const file = join(hierarchy.mountPoint, path, 'cgroup.procs');
      await writeFile(file, String(processId)).catch((error: unknown) => refuseMove(error, path, processId));
    }
  }

  /** The files that a process writes `0` to in order to enter a cgroup. */
  entrances(path: string): readonly string[] {
    checkCgroupPath(path);
    return this.hierarchies.map(({ mountPoint }) => join(mountPoint, path, 'cgroup.procs'));
  }

  /** Lets a user that is not root kill all processes of a cgroup; older kernels cannot, and nothing changes. */
  async letKill(path: string, userId: number): Promise<void> {
    checkCgroupPath(path);
    if (this.#first.version === 2) await ifThere(chown(join(this.#directory(path), 'cgroup.kill'), userId, -1));
  }

  isPopulated(path: string): Promise<boolean> {
    return isPopulated(this.#first, this.#directory(path));
  }

  /** Calls back whenever the cgroup may have become empty or populated. It need not be there yet. */
  watch(path: string, onChange: () => void): Disposable {
    checkCgroupPath(path);
    return watchOccupancy(this.#first, this.#directory(path), onChange);
  }

  /** Resolves when a process is in the cgroup or below; rejects with the reason of the signal. */
  async untilPopulated(path: string, signal: AbortSignal): Promise<void> {
    checkCgroupPath(path);
    await untilOccupancy(this.#first, this.#directory(path), { isWanted: true, signal });
  }

  async processIds(path: string): Promise<readonly number[]> {
    return await processIdsBelow(this.#directory(path));
  }

  /** Kills all processes in a cgroup and below, however many they make meanwhile. Throws `still-populated` after 10 s. */
  async kill(path: string, signal: AbortSignal): Promise<void> {
    checkCgroupPath(path);
    const directory = this.#directory(path);
    if (!(await isPopulated(this.#first, directory))) return;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(KILL_TIMEOUT_MS)]);
    try {
      if (!(await killAtOnce(this.#first, directory))) await killProcesses(directory, deadline);
      await untilOccupancy(this.#first, directory, { isWanted: false, signal: deadline });
    } catch (cause) {
      if (signal.aborted) throw cause;
      if (!deadline.aborted) throw cause;
      const ids = (await processIdsBelow(directory)).join(', ');
      throw new PodSandboxError('still-populated', `the processes ${ids} of ${path} do not end`, { cause });
    }
  }

  /** Removes a cgroup and all below it. Throws `still-populated` while a process is in it. */
  async remove(path: string): Promise<void> {
    checkCgroupPath(path);
    for (const { mountPoint } of this.hierarchies) await removeTree(join(mountPoint, path));
  }

  #directory(path: string): string {
    return join(this.#first.mountPoint, path);
  }
}

/** Looks for the cgroups of this machine. Throws `no-hierarchy` where there are none. */
export async function openCgroups(): Promise<Cgroups> {
  const mountInfo = await readFile('/proc/self/mountinfo', 'utf8');
  const unified = unifiedMountPoint(mountInfo);
  const controllers = unified === undefined ? '' : await readFile(join(unified, 'cgroup.controllers'), 'utf8');
  return new Cgroups(chooseHierarchies(mountInfo, controllers.trim().split(' ')));
}

async function makeIn(hierarchy: Hierarchy, plan: CgroupPlan): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const step of planCgroup(hierarchy, plan)) problems.push(...(await carryOut(step)));
  return problems;
}

/** Does one step; one that others may hinder gives a sentence instead of an error. */
async function carryOut(step: CgroupStep): Promise<readonly string[]> {
  if (step.kind === 'make') {
    await mkdir(step.directory, { recursive: true });
    return [];
  }
  const { controller } = step;
  return await writeStep(step).then(
    () => [],
    (error: unknown) => [`${controller} cannot be limited: ${reasonOf(error)}`],
  );
}

async function writeStep(step: Exclude<CgroupStep, { readonly kind: 'make' }>): Promise<void> {
  switch (step.kind) {
    case 'enable':
      return await writeFile(step.file, `+${step.controller}`);
    case 'limit':
      return await writeFile(step.file, step.value);
    case 'inherit':
      if ((await readFile(step.file, 'utf8')).trim() === '') await writeFile(step.file, await readFile(step.from));
  }
}

async function processorsIn(directory: string): Promise<readonly number[] | undefined> {
  const text = await ifThere(readFile(join(directory, 'cpuset.cpus'), 'utf8'));
  return text === undefined ? undefined : parseProcessors(text);
}

/** Kernels before 5.14 cannot; gives whether it was done. */
async function killAtOnce({ version }: Hierarchy, directory: string): Promise<boolean> {
  if (version === 1) return false;
  return await writeFile(join(directory, 'cgroup.kill'), '1', { flag: constants.O_WRONLY }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

async function removeTree(directory: string): Promise<void> {
  for (const child of await childrenOf(directory)) await removeTree(child);
  await ifThere(rmdir(directory)).catch((cause: unknown) => {
    if (codeOf(cause) !== 'EBUSY') throw cause;
    throw new PodSandboxError('still-populated', `${directory} still has processes`, { cause });
  });
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENODEV') return undefined;
    throw error;
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
