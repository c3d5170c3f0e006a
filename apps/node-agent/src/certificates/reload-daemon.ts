import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { isLibvirtError, updateServerTls } from '@smalt/libvirt';
import { isAborted, isSystemdError, type JobResult, type Systemd } from '@smalt/systemd';
import { messageOf, type Logger } from '@smalt/service-runtime';

import { DAEMONS, planReload, RELOAD_UNITS, type DaemonName, type ReloadStep } from './plan-reload.ts';

const ADMIN_DIRECTORY = '/run/libvirt';
const ADMIN_SOCKETS = { virtproxyd: 'virtproxyd-admin-sock', libvirtd: 'libvirt-admin-sock' } as const;
/** How a daemon says that it shows no certificate to anybody, so that there is nothing to read anew. */
const SERVES_NO_TLS = 'no tls service found';
/** Why systemd was not asked where it has nothing to do with the daemon, or is not there. */
const NO_BUS = 'there is none for this daemon';

export interface ReloadSettings {
  /** Nothing where there is no D-Bus. */
  readonly systemd: Pick<Systemd, 'unitStates' | 'startUnit' | 'restartUnit'> | undefined;
  /** Where the admin sockets of daemons lie; `/run/libvirt` if not given. */
  readonly adminDirectory?: string | undefined;
}

export interface ReloadDeps extends ReloadSettings {
  readonly logger: Pick<Logger, 'info'>;
}

/**
 * Resolves when the daemon shows its new certificate to whoever connects; else says why it does not. Where the bus
 * refuses, or is away, the daemon is told by its admin socket.
 */
export async function reloadDaemon(deps: ReloadDeps, signal: AbortSignal): Promise<string | undefined> {
  const { systemd } = deps;
  const asked = await askBus(async () => (await systemd?.unitStates(RELOAD_UNITS, signal)) ?? []);
  const refusal = systemd === undefined ? NO_BUS : asked.refusal;
  const step = planReload({ states: asked.answer, administered: await findAdministered(deps) });
  switch (step.kind) {
    case 'nothing':
      return undefined;
    case 'no-way':
      return bothProblems(refusal, `there is no admin socket in ${deps.adminDirectory ?? ADMIN_DIRECTORY}`);
    case 'start-unit':
      return await startUnit(deps, step, signal);
    case 'admin':
      return await tellBySocket(deps, { ...step, refusal }, signal);
  }
}

interface BusAnswer<T> {
  readonly answer?: T;
  /** Why there is no answer. */
  readonly refusal?: string;
}

/** What systemd answers, or why it could not be asked: AppArmor, a missing right, a bus that is gone or says nothing. */
async function askBus<T>(ask: () => Promise<T>): Promise<BusAnswer<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!isSystemdError(error) || isAborted(error)) throw error;
    return { refusal: messageOf(error) };
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

async function startUnit(
  deps: ReloadDeps,
  { unit, server }: Extract<ReloadStep, { kind: 'start-unit' }>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { answer, refusal } = await askBus(async () => deps.systemd?.startUnit(unit, signal));
  if (refusal === undefined) return jobProblem(unit, answer);
  return await tellBySocket(deps, { kind: 'admin', server, unit: undefined, refusal }, signal);
}

type AdminStep = Extract<ReloadStep, { kind: 'admin' }>;

async function tellBySocket(
  deps: ReloadDeps,
  { refusal, ...step }: AdminStep & { readonly refusal: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const problem = await updateByAdmin(deps, step, signal);
  if (refusal === undefined) return problem;
  if (problem !== undefined) return bothProblems(refusal, problem);
  deps.logger.info({ server: step.server, bus: refusal }, 'the daemon was told by its admin socket, without the bus');
  return undefined;
}

async function updateByAdmin(
  settings: ReloadSettings,
  { server, unit }: AdminStep,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await updateServerTls({ socketPath: adminSocket(settings, server), server }, { signal });
    return undefined;
  } catch (error) {
    if (signal.aborted || !isLibvirtError(error)) throw error;
    if (error.message.includes(SERVES_NO_TLS)) return undefined;
    if (error.code !== 'connect-failed') return error.message;
    return await restartUnit(settings, { server, unit, problem: error.message }, signal);
  }
}

/** Guests outlive their daemon; only those who are connected to it have to connect again. */
async function restartUnit(
  { systemd }: ReloadSettings,
  { server, unit, problem }: Omit<AdminStep, 'kind'> & { readonly problem: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const unreached = `${problem}: restart ${server}`;
  if (unit === undefined) return unreached;
  const { answer, refusal } = await askBus(async () => systemd?.restartUnit(unit, signal));
  return refusal === undefined ? jobProblem(unit, answer) : bothProblems(refusal, unreached);
}

function bothProblems(bus: string | undefined, socket: string): string {
  return `by the bus: ${bus ?? NO_BUS}; by the admin socket: ${socket}`;
}

function jobProblem(unit: string, result: JobResult | undefined): string | undefined {
  return result === 'done' ? undefined : `${unit} ended with ${result ?? 'nothing'}: see journalctl -u ${unit}`;
}
