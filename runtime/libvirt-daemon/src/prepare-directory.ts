import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';

import { LibvirtDaemonError } from './error.ts';
import { socketPathIn } from './libvirtd-options.ts';
import type { BindMount } from './namespace.ts';

const LIBVIRT_DIRECTORIES = {
  etc: '/etc/libvirt',
  lib: '/var/lib/libvirt',
  log: '/var/log/libvirt',
  cache: '/var/cache/libvirt',
  run: '/run/libvirt',
} as const;

/** Makes a daemon's directories, without what its last run left in `run`, and tells where to mount them. */
export async function prepareDirectory(directory: string): Promise<readonly BindMount[]> {
  if (await isServed(socketPathIn(directory))) {
    throw new LibvirtDaemonError('directory-in-use', `Another libvirtd lives in ${directory}`);
  }
  await rm(`${directory}/run`, { recursive: true, force: true });
  const mounts = Object.entries(LIBVIRT_DIRECTORIES).map(([name, target]) => ({
    source: `${directory}/${name}`,
    target,
  }));
  for (const { source } of mounts) await mkdir(source, { recursive: true });
  await mkdir(`${directory}/no-drivers`, { recursive: true });
  return mounts;
}

/** Makes the mount points that are missing: empty directories of the operating system's own libvirt, or of SASL. */
export async function makeMountPoints(mounts: readonly BindMount[]): Promise<void> {
  for (const { source, target } of mounts) {
    const isDirectory = await stat(source).then(
      (found) => found.isDirectory(),
      (cause: unknown) => {
        throw new LibvirtDaemonError('invalid-option', `bindMounts: cannot read ${source}`, { cause });
      },
    );
    if (isDirectory) await mkdir(target, { recursive: true });
  }
}

const QEMU_ACCOUNT = 'libvirt-qemu';
/** The id Debian reserves for it. */
const QEMU_ACCOUNT_ID = 64_055;

/**
 * libvirt's QEMU driver refuses to load without its account, even where guests run as another. A machine without it
 * gets one that exists inside the daemon's namespaces only.
 */
export async function lendQemuAccount(directory: string): Promise<readonly BindMount[]> {
  const users = await lendEntry(directory, 'passwd', `${QEMU_ACCOUNT_ID}::/var/lib/libvirt:/usr/sbin/nologin`);
  const groups = await lendEntry(directory, 'group', '');
  return [...users, ...groups];
}

async function lendEntry(directory: string, file: 'passwd' | 'group', rest: string): Promise<readonly BindMount[]> {
  const target = `/etc/${file}`;
  const text = await readFile(target, 'utf8');
  if (text.split('\n').some((line) => line.startsWith(`${QEMU_ACCOUNT}:`))) return [];
  const source = `${directory}/${file}`;
  const separator = text.endsWith('\n') ? '' : '\n';
  await writeFile(source, `${text}${separator}${QEMU_ACCOUNT}:x:${QEMU_ACCOUNT_ID}:${rest}\n`);
  return [{ source, target }];
}

async function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
