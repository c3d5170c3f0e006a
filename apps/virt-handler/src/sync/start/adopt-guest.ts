import type { PodSandbox } from '@smalt/pod-sandbox';
import type { Domain } from '@smalt/libvirt';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import type { Sandboxes } from '../sandboxes.ts';
import { findGuestProcesses } from './guest-processes.ts';
import { pinAgain } from './pin-again.ts';

export interface GuestPlace {
  readonly driver: DriverSession;
  readonly domain: Domain;
  readonly sandbox: PodSandbox;
}

/**
 * Moves the processes of a guest into the cgroup of its pod; those that are there already stay. Where the pod has processors
 * to itself, each thread is on its own one afterwards.
 */
export async function adoptGuest(
  sandboxes: Pick<Sandboxes, 'moveToGuestCgroup'>,
  { driver: { hypervisor, pidDirectory, session }, domain, sandbox }: GuestPlace,
  signal: AbortSignal,
): Promise<void> {
  // Without a cgroup there is nothing to move to, and no need to know the processes.
  if (sandbox.guestCgroup === undefined) return;
  const processIds = await findGuestProcesses({ hypervisor, pidDirectory, domain });
  await sandboxes.moveToGuestCgroup(sandbox, processIds, signal);
  if (sandbox.processors !== undefined) await pinAgain(session, domain, signal);
}
