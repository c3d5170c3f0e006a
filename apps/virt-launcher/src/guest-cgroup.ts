import { openCgroups, openOwnGuestCgroup } from '@smalt/pod-sandbox';

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
 * the guest there; until then the guest has no processes. Throws `no-cgroup`.
 */
export async function openGuestCgroup(path: string | undefined): Promise<GuestCgroup> {
  if (path === undefined) return await openInContainer();
  const cgroups = await openCgroups();
  return {
    isPopulated: () => cgroups.isPopulated(path),
    watch: (onChange) => cgroups.watch(path, onChange),
    kill: (signal) => cgroups.kill(path, signal),
  };
}

async function openInContainer(): Promise<GuestCgroup> {
  try {
    return await openOwnGuestCgroup();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LauncherError('no-cgroup', `${reason}; outside of a container give --guest-cgroup`, { cause });
  }
}
