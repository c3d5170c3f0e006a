import type { IniSections } from './render-ini.ts';

/** What services write down: all that they do, or what is worth a look. */
export type Logging = 'all' | 'warnings';

const PROGRAMS = ['keystone', 'keystonemiddleware', 'placement', 'glance', 'nova', 'oslo', 'oslo_service', 'os_vif'];

/** The values by which a service of OpenStack logs to its output. */
export function loggingValues(logging: Logging): IniSections[string] {
  if (logging === 'all') return { use_stderr: true };
  return { use_stderr: true, default_log_levels: PROGRAMS.map((name) => `${name}=WARN`).join(',') };
}
