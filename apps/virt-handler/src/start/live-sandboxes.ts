import { isProcessRunning, type Sandboxes as AllSandboxes } from '@smalt/pod-sandbox';

import type { Sandboxes } from '../sync/sandboxes.ts';

/** The sandboxes whose launcher lives: without it nobody would end the guest with its pod. */
export function liveSandboxes(all: Pick<AllSandboxes, 'find' | 'moveToGuestCgroup'>): Sandboxes {
  return {
    find: async (podUid) => {
      const sandbox = await all.find(podUid);
      if (sandbox?.launcher === undefined) return sandbox;
      return (await isProcessRunning(sandbox.launcher)) ? sandbox : undefined;
    },
    moveToGuestCgroup: (sandbox, processIds, signal) => all.moveToGuestCgroup(sandbox, processIds, signal),
  };
}
