import type { Config } from './render-config.ts';

/**
 * The settings of qemu.conf for a daemon without systemd, cgroups, udev and log daemon of its own.
 * Guests run as root of the daemon's namespaces, so they open the disks that the caller may open.
 */
export function qemuConfig(settings: Config = {}): Config {
  return {
    user: 'root',
    group: 'root',
    dynamic_ownership: 0,
    remember_owner: 0,
    security_driver: 'none',
    cgroup_controllers: [],
    namespaces: [],
    stdio_handler: 'file',
    ...settings,
  };
}
