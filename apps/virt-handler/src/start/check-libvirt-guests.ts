import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findHypervisor } from '@smalt/hypervisors';

import type { DriverTable } from '../hypervisor-sessions/driver-settings.ts';
import { unless } from '../storage/files/file-error.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import { DEFAULT_MACHINE_DIRECTORY } from '../virt-handler-options.ts';
import { judgeLibvirtGuests } from './judge-libvirt-guests.ts';

const STARTED_BY = 'etc/systemd/system/multi-user.target.wants/libvirt-guests.service';
/** Its program and its settings, where Debian and others have them. */
const FILES = [
  'usr/libexec/libvirt-guests.sh',
  'usr/lib/libvirt/libvirt-guests.sh',
  'etc/sysconfig/libvirt-guests',
  'etc/default/libvirt-guests',
];

/** Throws `unsafe-node` where the operating system starts guests of its libvirt by itself, and that libvirt is ours to use. */
export async function checkLibvirtGuests(
  drivers: DriverTable,
  machine: string = DEFAULT_MACHINE_DIRECTORY,
): Promise<void> {
  if (!Object.entries(drivers).some(([name, { uri }]) => isOfSystem(uri ?? findHypervisor(name).libvirt.uri))) return;
  const absent = unless('ENOENT', 'ENOTDIR');
  const started = await lstat(join(machine, STARTED_BY)).catch(absent);
  const texts = await Promise.all(FILES.map((file) => readFile(join(machine, file), 'utf8').catch(absent)));
  const reason = judgeLibvirtGuests({
    isEnabled: started !== undefined,
    texts: texts.filter((text) => text !== undefined),
  });
  if (reason !== undefined) throw new VirtHandlerError('unsafe-node', reason);
}

/** The libvirt that the service speaks to: that of the operating system, by its own socket. */
function isOfSystem(uri: string): boolean {
  return /^(?!test)[a-z]+(\+unix)?:\/\/\//.test(uri) && !uri.includes('socket=');
}
