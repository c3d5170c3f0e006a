import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mountAt, parseMountTable, type Mount } from '../mounts/mount-table.ts';
import { PodSandboxError } from '../pod-sandbox-error.ts';
import { isPopulated, untilOccupancy, watchOccupancy } from './occupancy.ts';

/** The cgroup `guest` in that of this process, which is the first one of a container. */
export interface OwnGuestCgroup {
  isPopulated(): Promise<boolean>;
  /** Calls back whenever that may have changed. */
  watch(onChange: () => void): Disposable;
  /** Kills all processes in it. Throws `not-permitted` where the container is only shown its cgroups. */
  kill(signal: AbortSignal): Promise<void>;
}

/** Where the own cgroup of a process is, and in which version. */
export interface OwnCgroup {
  readonly version: 1 | 2;
  readonly directory: string;
}

/**
 * Opens the cgroup of the guest in a container; whoever moves the guest there makes it. Throws `no-hierarchy` where the
 * container is shown no cgroup that guests are counted in.
 */
export async function openOwnGuestCgroup(): Promise<OwnGuestCgroup> {
  const [mountInfo, membership] = await Promise.all([
    readFile('/proc/self/mountinfo', 'utf8'),
    readFile('/proc/self/cgroup', 'utf8'),
  ]);
  const own = findOwnCgroup(mountInfo, membership);
  if (own === undefined) {
    throw new PodSandboxError('no-hierarchy', 'the container is not shown its cgroup at /sys/fs/cgroup');
  }
  const hierarchy = { version: own.version, mountPoint: own.directory, controllers: [] };
  const guest = join(own.directory, 'guest');
  return {
    isPopulated: () => (own.version === 1 ? hasTasks(guest) : isPopulated(hierarchy, guest)),
    watch: (onChange) => watchOccupancy(hierarchy, guest, onChange),
    async kill(signal) {
      if (own.version === 1) throw notPermitted('the older cgroups cannot kill what a container does not see');
      await writeFile(join(guest, 'cgroup.kill'), '1', { flag: 'r+' }).catch((cause: unknown) => {
        throw notPermitted(cause instanceof Error ? cause.message : String(cause), cause);
      });
      await untilOccupancy(hierarchy, guest, { isWanted: false, signal });
    },
  };
}

/**
 * The cgroup of a process in which its guest is counted, by its `mountinfo` and `cgroup`: that of numbers of processes where
 * there are cgroups of the first version, else that of the second. Containers are shown no more than their own.
 */
export function findOwnCgroup(mountInfo: string, membership: string): OwnCgroup | undefined {
  const lines = mountInfo.split('\n');
  const ofType = (type: string, option?: string): readonly Mount[] =>
    parseMountTable(lines.filter((line) => isOfType(line, type, option)).join('\n'));
  const memberships = membership.split('\n').filter((line) => line !== '');
  const paths = new Map(memberships.map((line) => [line.split(':')[1] ?? '', pathIn(line)]));
  const first = directoryOf(ofType('cgroup', 'pids'), pathOf(paths, 'pids'));
  if (first !== undefined) return { version: 1, directory: first };
  const second = directoryOf(ofType('cgroup2'), paths.get(''));
  return second === undefined ? undefined : { version: 2, directory: second };
}

/** The controllers of a line are `cpu,cpuacct` where two share a hierarchy. */
function pathOf(paths: ReadonlyMap<string, string>, controller: string): string | undefined {
  return [...paths].find(([names]) => names.split(',').includes(controller))?.[1];
}

function pathIn(line: string): string {
  return line.split(':').slice(2).join(':');
}

function isOfType(line: string, type: string, option: string | undefined): boolean {
  const [found, , options] = line.split(' - ', 2)[1]?.split(' ') ?? [];
  return found === type && (option === undefined || options?.split(',').includes(option) === true);
}

/** Where a cgroup is below a mount; a container sees its own as the root, by a namespace or by what is mounted. */
function directoryOf(mounts: readonly Mount[], path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  for (const { root, mountPoint } of mounts) {
    if (mountAt(mounts, mountPoint)?.root !== root) continue;
    if (root === '/') return join(mountPoint, path);
    if (path === root || path.startsWith(`${root}/`)) return join(mountPoint, path.slice(root.length));
  }
  return undefined;
}

/** The processes of a guest are none of a container's: it is told how many they are, and not which. */
async function hasTasks(directory: string): Promise<boolean> {
  const text = await readFile(join(directory, 'pids.current'), 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENODEV') return '0';
    throw error;
  });
  return Number(text) > 0;
}

function notPermitted(reason: string, cause?: unknown): PodSandboxError {
  return new PodSandboxError('not-permitted', `a launcher in a container cannot kill its guest: ${reason}`, { cause });
}
