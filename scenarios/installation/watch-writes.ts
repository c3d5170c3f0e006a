import { setTimeout as sleep } from 'node:timers/promises';

import type { KubeClient } from '@smalt/kube';

const PATH = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';
const PAUSE_MS = 500;
const MACHINE = JSON.stringify({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { generateName: 'tried-' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {}, memory: { guest: '64Mi' } } } } },
});

/** Somebody who writes machines without a pause that matters; none of them stays. */
export interface WatchedWrites extends AsyncDisposable {
  /** Ends it, and gives what was answered to writes that were refused. */
  refused(): Promise<readonly string[]>;
}

/** Writes machines until it is told to end. Webhooks fail closed: each write needs a virt-api that answers. */
export function watchWrites(admin: Pick<KubeClient, 'text'>): WatchedWrites {
  const ending = new AbortController();
  const refused: string[] = [];
  const done = (async () => {
    while (!ending.signal.aborted) {
      const query = new URLSearchParams({ dryRun: 'All' });
      await admin.text({ method: 'POST', path: PATH, query, body: MACHINE }).catch((error: unknown) => {
        refused.push(`${new Date().toISOString()} ${String(error)}`);
      });
      await sleep(PAUSE_MS);
    }
  })();
  const end = async (): Promise<void> => {
    ending.abort();
    await done;
  };
  return {
    refused: async () => {
      await end();
      return refused;
    },
    [Symbol.asyncDispose]: end,
  };
}
