import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openCgroups } from '@smalt/pod-sandbox';

import { LauncherError } from './launcher-error.ts';

/** The cgroup of the guest, as its launcher sees it. */
export interface GuestCgroup {
  isPopulated(): Promise<boolean>;
  /** Calls back whenever that may have changed. */
  watch(onChange: () => void): Disposable;
  kill(signal: AbortSignal): Promise<void>;
}

/**
 * Opens the cgroup of the guest. In a container that is the cgroup `guest` in the launcher's own, made by whoever moves
 * the guest there; until then the guest has no processes.
 */
export async function openGuestCgroup(path: string | undefined): Promise<GuestCgroup> {
  const cgroups = await openCgroups();
  const guest = path ?? join(await ownCgroup(), 'guest');
  return {
    isPopulated: () => cgroups.isPopulated(guest),
    watch: (onChange) => cgroups.watch(guest, onChange),
    kill: (signal) => cgroups.kill(guest, signal),
  };
}

/** The cgroup of a process by the text of its /proc/PID/cgroup; undefined without cgroups of the second version. */
export function parseOwnCgroup(text: string): string | undefined {
  return /^0::(\/.*)$/m.exec(text)?.[1];
}

async function ownCgroup(): Promise<string> {
  const own = parseOwnCgroup(await readFile('/proc/self/cgroup', 'utf8'));
  if (own !== undefined) return own;
  throw new LauncherError('no-cgroup', 'this machine has no cgroups of the second version; give --guest-cgroup');
}
