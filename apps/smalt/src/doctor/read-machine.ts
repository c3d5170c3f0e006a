import { access, constants, open, readFile, statfs } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { connect } from '@smalt/libvirt';
import { messageOf } from '@smalt/service-runtime';

import { readHolder } from '../up/claim-data-directory.ts';
import { askControlSocket } from '../up/control-socket.ts';
import { dataPath } from '../up/data-directory.ts';
import { NEEDED_PROGRAMS } from './judge-machine.ts';
import type { CertificateFact, MachineFacts } from './machine-facts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const ANSWER_MS = 5_000;
const KIBIBYTE = 1_024;
const SYSTEM_SOCKETS = ['/run/libvirt/libvirt-sock', '/run/libvirt/virtqemud-sock'];
const SWITCH_SOCKETS = ['/run/openvswitch/db.sock', '/var/run/openvswitch/db.sock'];
const TIMEKEEPERS: Readonly<Record<string, string>> = {
  '/run/systemd/timesync/synchronized': 'systemd-timesyncd',
  '/run/chrony/chronyd.pid': 'chrony',
  '/run/chronyd.pid': 'chrony',
  '/run/ntpd.pid': 'ntpd',
};

/** Looks at this machine. What cannot be looked at counts as missing; nothing is changed. */
export async function readMachine(
  { environment, directory }: { readonly environment: Environment; readonly directory: string },
  certificates: readonly CertificateFact[],
  signal: AbortSignal,
): Promise<MachineFacts> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const [kvm, cpu, cgroups, programs, libvirt, disk, memory, timekeeper, inotify, smaltUp, switchSocket] =
    await Promise.all([
      readKvm(),
      textOf('/proc/cpuinfo'),
      readCgroups(),
      readPrograms(environment),
      readLibvirt(directory, soon),
      readDisk(directory),
      textOf('/proc/meminfo'),
      firstPresent(Object.keys(TIMEKEEPERS)),
      textOf('/proc/sys/fs/inotify/max_user_instances'),
      readSmaltUp(directory, soon),
      firstPresent(SWITCH_SOCKETS),
    ]);
  return {
    isRoot: process.getuid?.() === 0,
    kvm,
    hasVirtualization: /^flags\s*:.*\b(vmx|svm)\b/m.test(cpu),
    cgroups,
    programs,
    libvirt,
    disk,
    memory: { availableBytes: memoryIn(memory, 'MemAvailable'), totalBytes: memoryIn(memory, 'MemTotal') },
    timekeeper: timekeeper === undefined ? undefined : TIMEKEEPERS[timekeeper],
    inotifyInstances: Number(inotify) || 0,
    smaltUp,
    switchSocket,
    certificates,
  };
}

async function readKvm(): Promise<MachineFacts['kvm']> {
  try {
    await using _device = await open('/dev/kvm', 'r+');
    return 'usable';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing';
  }
}

async function readCgroups(): Promise<MachineFacts['cgroups']> {
  const unified = await textOf('/sys/fs/cgroup/cgroup.controllers');
  if (unified !== '') return { version: 2, controllers: unified.trim().split(' ') };
  const mounts = (await textOf('/proc/self/mounts')).split('\n').filter((line) => / cgroup2? /.test(line));
  const controllers = mounts.flatMap((line) => (line.split(' ')[3] ?? '').split(','));
  return { version: mounts.length === 0 ? 0 : 1, controllers };
}

async function readPrograms({ PATH = '' }: Environment): Promise<MachineFacts['programs']> {
  const directories = [...PATH.split(delimiter), '/usr/sbin', '/sbin'].filter((each) => each !== '');
  const names = [...Object.keys(NEEDED_PROGRAMS), 'ovs-vsctl'];
  const found = names.map(async (name) => {
    const candidates = directories.map((directory) => join(directory, name));
    return [name, await firstPresent(candidates, constants.X_OK)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function readLibvirt(directory: string, signal: AbortSignal): Promise<MachineFacts['libvirt']> {
  const socket = await firstPresent([join(dataPath(directory, 'libvirt'), 'run/libvirt-sock'), ...SYSTEM_SOCKETS]);
  if (socket === undefined) return { kind: 'none' };
  try {
    await using connection = await connect(`qemu+unix:///system?socket=${encodeURIComponent(socket)}`, { signal });
    const version = Number(await connection.connectGetLibVersion({ signal }));
    return { kind: 'answers', socket, version: versionText(version) };
  } catch (error) {
    return { kind: 'silent', socket, why: messageOf(error) };
  }
}

function versionText(version: number): string {
  return [Math.floor(version / 1_000_000), Math.floor(version / 1_000) % 1_000, version % 1_000].join('.');
}

async function readDisk(directory: string): Promise<MachineFacts['disk']> {
  const path = (await firstPresent([directory, '/var/lib'])) ?? '/';
  const { bavail, blocks, bsize } = await statfs(path);
  return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function readSmaltUp(directory: string, signal: AbortSignal): Promise<MachineFacts['smaltUp']> {
  const holder = await readHolder(directory);
  if (holder === undefined) return { directory, pid: undefined, isAnswering: false };
  const answer = askControlSocket(dataPath(directory, 'control'), { kind: 'high-availability' }, signal);
  const isAnswering = await answer.then(
    () => true,
    () => false,
  );
  return { directory, pid: holder.pid, isAnswering };
}

async function firstPresent(paths: readonly string[], mode: number = constants.F_OK): Promise<string | undefined> {
  const looked = await Promise.allSettled(paths.map((path) => access(path, mode)));
  return paths.find((_path, index) => looked[index]?.status === 'fulfilled');
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // What the kernel does not tell is not there.
    return '';
  }
}

function memoryIn(meminfo: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0) * KIBIBYTE;
}
