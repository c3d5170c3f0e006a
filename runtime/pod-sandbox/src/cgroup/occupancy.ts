import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

import { readIfThere } from '@smalt/files';

import type { Hierarchy } from './hierarchy.ts';
import { processIdsBelow } from './process-ids.ts';

/** How long an end may go unseen where the kernel does not tell of it. */
const LOOK_MS = 500;

/**
 * Calls back whenever a cgroup may have become empty, or may be so no longer, until it is disposed of. Where the kernel
 * does not tell, the cgroup is looked at now and then: in the first version of cgroups, before the cgroup is made, and
 * when this user watches as many files as the kernel allows.
 */
export function watchOccupancy({ version }: Hierarchy, directory: string, onChange: () => void): Disposable {
  const open = (): FSWatcher | undefined => (version === 1 ? undefined : openWatcher(directory, onChange));
  let watcher = open();
  const look = (): void => {
    watcher ??= open();
    if (watcher !== undefined) clearInterval(timer);
    onChange();
  };
  const timer = watcher === undefined ? setInterval(look, LOOK_MS) : undefined;
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      watcher?.close();
    },
  };
}

function openWatcher(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(join(directory, 'cgroup.events'), onChange);
    // What was watched may go away; whoever looks then sees that.
    watcher.on('error', onChange);
    return watcher;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'EMFILE' || code === 'ENOSPC') return undefined;
    throw error;
  }
}

/** Whether a cgroup, or one below it, has processes; a cgroup that is gone has none. */
export async function isPopulated({ version }: Hierarchy, directory: string): Promise<boolean> {
  if (version === 1) return (await processIdsBelow(directory)).length > 0;
  return /^populated 1$/m.test(await readIfThere(join(directory, 'cgroup.events')));
}

/** Resolves when a cgroup has no processes, or has some; rejects with the reason of the signal. */
export async function untilOccupancy(
  hierarchy: Hierarchy,
  directory: string,
  { isWanted, signal }: { readonly isWanted: boolean; readonly signal: AbortSignal },
): Promise<void> {
  let ring = Promise.withResolvers<void>();
  const wake = (): void => ring.resolve();
  using _watch = watchOccupancy(hierarchy, directory, wake);
  signal.addEventListener('abort', wake, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      ring = Promise.withResolvers<void>();
      if ((await isPopulated(hierarchy, directory)) === isWanted) return;
      await ring.promise;
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}
