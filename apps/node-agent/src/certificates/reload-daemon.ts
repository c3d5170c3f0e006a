import { access } from 'node:fs/promises';
import { join } from 'node:path';

import type { JobResult, Systemd } from '@smalt/systemd';
import { messageOf } from '@smalt/service-runtime';

import { DAEMONS, planReload, RELOAD_UNITS, type DaemonName, type ReloadStep } from './plan-reload.ts';

const VIRT_ADMIN = 'virt-admin';
const ADMIN_DIRECTORY = '/run/libvirt';
const ADMIN_SOCKETS = { virtproxyd: 'virtproxyd-admin-sock', libvirtd: 'libvirt-admin-sock' } as const;
/** How a daemon says that it shows no certificate to anybody, so that there is nothing to read anew. */
const SERVES_NO_TLS = 'no tls service found';

export interface ReloadSettings {
  /** Nothing where there is no D-Bus. */
  readonly systemd: Pick<Systemd, 'unitStates' | 'startUnit' | 'restartUnit'> | undefined;
  /** Where the admin sockets of daemons lie; `/run/libvirt` if not given. */
  readonly adminDirectory?: string | undefined;
  /** The program `virt-admin`, if it is not where the system keeps its programs. */
  readonly adminProgram?: string | undefined;
}

/** Resolves when the daemon shows its new certificate to whoever connects; else says why it does not. */
export async function reloadDaemon(settings: ReloadSettings, signal: AbortSignal): Promise<string | undefined> {
  const states = (await settings.systemd?.unitStates(RELOAD_UNITS, signal)) ?? [];
  const step = planReload({ states, administered: await findAdministered(settings) });
  switch (step.kind) {
    case 'nothing':
      return undefined;
    case 'start-unit':
      return await startUnit(settings, step.unit, signal);
    case 'admin':
      return await updateByAdmin(settings, step, signal);
  }
}

async function findAdministered(settings: ReloadSettings): Promise<readonly DaemonName[]> {
  const found = await Promise.all(
    DAEMONS.map(async (name) =>
      access(adminSocket(settings, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}

function adminSocket({ adminDirectory = ADMIN_DIRECTORY }: ReloadSettings, server: DaemonName): string {
  return join(adminDirectory, ADMIN_SOCKETS[server]);
}

async function startUnit({ systemd }: ReloadSettings, unit: string, signal: AbortSignal): Promise<string | undefined> {
  return jobProblem(unit, await systemd?.startUnit(unit, signal));
}

async function updateByAdmin(
  settings: ReloadSettings,
  { server, unit }: Extract<ReloadStep, { kind: 'admin' }>,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Most nodes have the unit and never come here.
  const { isMissingSoftware, runProgram } = await import('@smalt/libvirt-daemon');
  const { adminProgram = VIRT_ADMIN, systemd } = settings;
  const adminUri = `${server}+unix:///system?socket=${encodeURIComponent(adminSocket(settings, server))}`;
  try {
    const program = { name: adminProgram, debianPackage: 'libvirt-clients' };
    await runProgram(program, ['--connect', adminUri, 'server-update-tls', server], { signal });
    return undefined;
  } catch (error) {
    if (!isMissingSoftware(error)) return messageOf(error).includes(SERVES_NO_TLS) ? undefined : messageOf(error);
    if (unit === undefined) return `virt-admin is missing, by which ${server} is told of it: restart ${server}`;
    // Guests outlive their daemon; only those who are connected to it have to connect again.
    return jobProblem(unit, await systemd?.restartUnit(unit, signal));
  }
}

function jobProblem(unit: string, result: JobResult | undefined): string | undefined {
  return result === 'done' ? undefined : `${unit} ended with ${result ?? 'nothing'}: see journalctl -u ${unit}`;
}
