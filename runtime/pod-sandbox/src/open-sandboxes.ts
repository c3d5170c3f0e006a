import { readdir } from 'node:fs/promises';

import { openCgroups, type Cgroups } from './cgroup/cgroups.ts';
import type { PodSandbox } from './pod-sandbox.ts';
import { readSandbox } from './sandbox-file.ts';

/** The sandboxes of a node, for those who did not make them. */
export interface Sandboxes {
  /** The sandbox of a pod; undefined as long as, and as soon as, it has none. Throws `invalid-sandbox`. */
  find(podUid: string): Promise<PodSandbox | undefined>;
  list(): Promise<readonly PodSandbox[]>;
  /**
   * Moves processes, with all their threads, into the cgroup of the guest; where the pod has none, that is all. Throws
   * `process-gone` when one of them has ended and `cgroup-gone` when the pod has.
   */
  moveToGuestCgroup(sandbox: PodSandbox, processIds: readonly number[], signal: AbortSignal): Promise<void>;
}

/** Where pod runners keep what they make. */
export const DEFAULT_PODS_DIRECTORY = '/var/lib/smalt/pods';

/** Opens the sandboxes below a directory, which need not be there yet. */
export async function openSandboxes(podsDirectory: string = DEFAULT_PODS_DIRECTORY): Promise<Sandboxes> {
  const cgroups = await openCgroups();
  return {
    find: (podUid) => readSandbox(podsDirectory, podUid),
    list: () => listSandboxes(podsDirectory),
    moveToGuestCgroup: (sandbox, processIds, signal) => moveToGuest(cgroups, sandbox, { processIds, signal }),
  };
}

/** All sandboxes below a directory. Throws `invalid-sandbox` for one that makes no sense. */
export async function listSandboxes(podsDirectory: string): Promise<readonly PodSandbox[]> {
  const uids = await readdir(podsDirectory).catch(noneIfMissing);
  const found = await Promise.all(uids.map((podUid) => readSandbox(podsDirectory, podUid)));
  return found.filter((sandbox) => sandbox !== undefined);
}

async function moveToGuest(
  cgroups: Cgroups,
  { guestCgroup }: PodSandbox,
  { processIds, signal }: { readonly processIds: readonly number[]; readonly signal: AbortSignal },
): Promise<void> {
  if (guestCgroup === undefined) return;
  for (const processId of processIds) {
    signal.throwIfAborted();
    await cgroups.moveInto(guestCgroup, processId);
  }
}

function noneIfMissing(error: unknown): readonly string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
