import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname as machineName } from 'node:os';

import { recordPathIn } from './daemon-record.ts';
import { LibvirtDaemonError } from './error.ts';
import type { BindMount } from './namespace.ts';

const LIBVIRT_DIRECTORIES = {
  etc: '/etc/libvirt',
  lib: '/var/lib/libvirt',
  log: '/var/log/libvirt',
  cache: '/var/cache/libvirt',
  run: '/run/libvirt',
} as const;

/** Makes a locked directory's directories and tells where to mount them. What was left in `run` goes, unless it is kept. */
export async function prepareDirectory(directory: string, keepsRun: boolean): Promise<readonly BindMount[]> {
  if (!keepsRun) {
    await rm(recordPathIn(directory), { force: true });
    await rm(`${directory}/run`, { recursive: true, force: true });
  }
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
  await writeFile(source, `${withNewline(text)}${QEMU_ACCOUNT}:x:${QEMU_ACCOUNT_ID}:${rest}\n`);
  return [{ source, target }];
}

const HOSTS = '/etc/hosts';

/**
 * libvirtd looks its own name up whenever it is asked for it, unless the name has a dot. A name that /etc/hosts does not
 * list would be a question to the name server each time, and seconds of silence where there is none.
 */
export async function lendHostName(directory: string, hostname: string = machineName()): Promise<readonly BindMount[]> {
  const text = await readFile(HOSTS, 'utf8').catch(() => undefined);
  if (text === undefined || hostname.includes('.') || listsHost(text, hostname)) return [];
  const source = `${directory}/hosts`;
  await writeFile(source, `${withNewline(text)}127.0.1.1 ${hostname}\n`);
  return [{ source, target: HOSTS }];
}

function listsHost(hosts: string, name: string): boolean {
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.some(([, ...names]) => names.some((each) => each.toLowerCase() === name.toLowerCase()));
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
