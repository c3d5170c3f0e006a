import { HypervisorError } from './hypervisor-error.ts';
import type { ConfigurationFile, ConfigurationOptions, DaemonCommand } from './libvirt-access.ts';

/** Everyone's warnings, and what drivers do to a guest. */
const DEFAULT_LOG_FILTERS = '3:remote 4:event 3:util.json 3:util.object 3:util.dbus 3:rpc';
const LOG_FILTERS = /^[1-4]:[+]?[\w.-]+(?: [1-4]:[+]?[\w.-]+)*$/u;

/** The daemon that serves every hypervisor. */
export const LIBVIRTD: DaemonCommand = {
  program: 'libvirtd',
  arguments: ['--config', '/etc/libvirt/libvirtd.conf'],
  socketPath: '/run/libvirt/libvirt-sock',
};

/** The daemon that keeps what guests print. */
export const VIRTLOGD: DaemonCommand = {
  program: 'virtlogd',
  arguments: ['--config', '/etc/libvirt/virtlogd.conf'],
  socketPath: '/run/libvirt/virtlogd-sock',
};

/** The daemon of one hypervisor alone, by libvirt's rules for names. */
export function modularDaemon(program: string): DaemonCommand {
  return {
    program,
    arguments: ['--config', `/etc/libvirt/${program}.conf`],
    socketPath: `/run/libvirt/${program}-sock`,
  };
}

/** The settings of a daemon that listens on its socket only and logs to its standard error. */
export function daemonConfiguration(name: string, { logFilters }: ConfigurationOptions = {}): ConfigurationFile {
  const filters = logFilters ?? DEFAULT_LOG_FILTERS;
  if (!LOG_FILTERS.test(filters)) {
    const message = `"${filters}" are no log filters; write them like 3:remote 1:qemu, a level from 1 to 4 before each`;
    throw new HypervisorError('invalid-log-filters', message);
  }
  return {
    path: `/etc/libvirt/${name}.conf`,
    settings: { log_outputs: '1:stderr', log_filters: filters, auth_unix_rw: 'none' },
  };
}
