import type { DaemonCommand, LibvirtAccess } from '@smalt/hypervisors';

import { LauncherError } from '../launcher-error.ts';

export interface DaemonPlan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** In the order in which they are started; the last one serves the hypervisor. */
  readonly daemons: readonly DaemonCommand[];
}

/**
 * What a launcher writes and starts so that libvirt serves its one guest: the daemon of the hypervisor where the machine
 * has it, else the one for all, after the one that keeps logs. Throws `daemon-failed` when there is none.
 */
export function planDaemons(libvirt: LibvirtAccess, hasProgram: (program: string) => boolean): DaemonPlan {
  const { modularDaemon, monolithicDaemon, logDaemon } = libvirt;
  const served = [modularDaemon, monolithicDaemon].find((each) => each !== undefined && hasProgram(each.program));
  if (served === undefined) {
    const names = [modularDaemon?.program, monolithicDaemon.program].filter((name) => name !== undefined).join(' or ');
    throw new LauncherError('daemon-failed', `the program ${names} is missing: install it in the launcher's image`);
  }
  const hasLog = logDaemon !== undefined && hasProgram(logDaemon.program);
  const files = libvirt.configuration().map(({ path, settings }) => ({
    // The settings of the modular daemon are those of the other one, too.
    path: path === configOf(modularDaemon) ? configOf(served) : path,
    settings: hasLog ? settings : withoutLogDaemon(settings),
  }));
  return {
    files: files.map(({ path, settings }) => ({ path, text: renderSettings(settings) })),
    daemons: [...(hasLog ? [logDaemon] : []), served],
  };
}

type Settings = Readonly<Record<string, string | number | readonly string[]>>;

/** Without a log daemon guests write their logs themselves. */
function withoutLogDaemon(settings: Settings): Settings {
  return settings['stdio_handler'] === 'logd' ? { ...settings, stdio_handler: 'file' } : settings;
}

function configOf(daemon: DaemonCommand | undefined): string {
  return daemon?.arguments[daemon.arguments.indexOf('--config') + 1] ?? '';
}

/** In libvirt's own format; JSON writes texts and lists the same way. */
function renderSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('');
}
