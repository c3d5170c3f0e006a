import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { findHypervisor } from '@smalt/hypervisors';
import { waitUntilServed } from '@smalt/libvirt-daemon';

import { LauncherError } from '../launcher-error.ts';
import type { LauncherFlags } from '../parse-flags.ts';
import { DaemonPlace, findPrograms } from './daemon-place.ts';
import { KeptDaemon } from './kept-daemon.ts';
import { planDaemons } from './plan-daemons.ts';

const LOOK_MS = 20;

/** The libvirt of one launcher. Disposing of it ends it. */
export interface LauncherDaemon extends AsyncDisposable {
  /** Where it serves, as seen from outside. */
  readonly socketPath: string;
  readonly processIds: readonly number[];
  /** Rejects with `daemon-failed` when a daemon keeps dying. */
  readonly failed: Promise<void>;
}

/**
 * Starts the daemons that serve one hypervisor, in directories that are nobody else's, and keeps them running. Resolves
 * once they answer; throws `daemon-failed` when they do not.
 */
export async function startLauncherDaemon(
  { hypervisor, sandbox }: Pick<LauncherFlags, 'hypervisor' | 'sandbox'>,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<LauncherDaemon> {
  const { libvirt } = findHypervisor(hypervisor);
  if (libvirt.needsRoot && process.getuid?.() !== 0) {
    throw new LauncherError('daemon-failed', `libvirt of the hypervisor ${hypervisor} has to run as root`);
  }
  const all = [libvirt.modularDaemon, libvirt.monolithicDaemon, libvirt.logDaemon];
  const programs = await findPrograms(all.flatMap((daemon) => daemon?.program ?? []));
  const plan = planDaemons(libvirt, (program) => programs.has(program));
  const place = new DaemonPlace(sandbox);
  await place.layOut(plan);
  await using stack = new AsyncDisposableStack();
  const kept: KeptDaemon[] = [];
  for (const daemon of plan.daemons) {
    const socketPath = place.path(daemon.socketPath);
    // The log daemon speaks another protocol; it is ready when its socket is there.
    const untilServed = (until: AbortSignal): Promise<void> =>
      daemon === libvirt.logDaemon ? untilThere(socketPath, until) : waitUntilServed(socketPath, until);
    const each = new KeptDaemon({ name: daemon.program, command: place.command(daemon), untilServed, log });
    kept.push(stack.use(each));
    await each.start(signal);
    log(`${daemon.program} serves ${socketPath}`);
  }
  const failed = Promise.all(kept.map((each) => each.keep())).then(() => undefined);
  // Whoever asks is told; nobody has to.
  failed.catch(() => undefined);
  const owned = stack.move();
  return {
    socketPath: place.path(plan.daemons.at(-1)?.socketPath ?? ''),
    get processIds() {
      return kept.flatMap(({ processId }) => processId ?? []);
    },
    failed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function untilThere(path: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(path)) await delay(LOOK_MS, undefined, { signal });
}
