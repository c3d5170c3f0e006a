import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

import type { MachineOptions } from './machine-options.ts';

/** Below the bed's directory; the machine script mounts each in its place. */
const DIRECTORIES = ['root', 'etc', 'units', 'bus', 'shared', 'cgroup'] as const;

const DISTRIBUTION_UNITS = '/usr/lib/systemd/system';
/** All that the machine has besides the test's own: no unit of this list touches hardware, kernel settings or disks. */
const UNITS = [
  'basic.target',
  'dbus.service',
  'dbus.socket',
  'final.target',
  'poweroff.target',
  'reboot.target',
  'shutdown.target',
  'sysinit.target',
  'systemd-hostnamed.service',
  'systemd-logind.service',
  'systemd-poweroff.service',
  'systemd-reboot.service',
  'umount.target',
] as const;

const ALIASES = {
  'dbus-org.freedesktop.hostname1.service': 'systemd-hostnamed.service',
  'dbus-org.freedesktop.login1.service': 'systemd-logind.service',
} as const;

const BED_TARGET = `[Unit]
Description=All that a bed starts
Requires=dbus.service bed-ready.service
After=dbus.service
`;

const BED_READY = `[Unit]
Description=Tell the bed that the bus is up
After=dbus.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'echo ready >/run/bed/ready'
`;

const DEFAULT_INHIBIT_DELAY_SECONDS = 60;

/** Puts everything in place that the scripts of a machine expect below its directory. */
export async function writeMachineFiles(directory: string, options: MachineOptions): Promise<void> {
  for (const name of DIRECTORIES) await mkdir(join(directory, name));
  const units = join(directory, 'units');
  for (const name of UNITS) await copyFile(join(DISTRIBUTION_UNITS, name), join(units, name));
  for (const [alias, name] of Object.entries(ALIASES)) await symlink(name, join(units, alias));
  await writeFiles(units, { 'bed.target': BED_TARGET, 'bed-ready.service': BED_READY, ...options.units });
  const seconds = options.inhibitDelayMaxSeconds ?? DEFAULT_INHIBIT_DELAY_SECONDS;
  await writeFiles(join(directory, 'etc'), {
    'machine-id': `${'5a'.repeat(16)}\n`,
    'systemd/logind.conf': `[Login]\nInhibitDelayMaxSec=${seconds}\n`,
    ...options.etc,
  });
  await runProgram({ name: 'mkfifo', debianPackage: 'coreutils' }, [join(directory, 'shared', 'ready')]);
}

async function writeFiles(parent: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(parent, path)), { recursive: true });
    await writeFile(join(parent, path), text);
  }
}
