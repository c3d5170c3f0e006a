import { setTimeout as delay } from 'node:timers/promises';

import { leaseKind } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { microTime, type KindReference } from '@smalt/kubernetes';

const NAMESPACE = 'kube-node-lease';
const RENEW_MS = 1_000;

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

interface LeasedHost {
  readonly name: string;
  /** Whether its kubelet could reach the API server now. */
  readonly isReachable: boolean;
}

/** Renews the lease of every node that is on and not cut off, as their kubelets would. */
export async function keepNodeLeases(api: KubeClient, hosts: readonly LeasedHost[]): Promise<AsyncDisposable> {
  await api.resource(namespaceKind).apply(NAMESPACE, {}, { force: true });
  const stopping = new AbortController();
  const renew = async ({ name }: LeasedHost): Promise<void> => {
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime(Date.now()) };
    await api.resource(leaseKind).apply(name, { spec }, { namespace: NAMESPACE, force: true });
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await Promise.all(hosts.filter(({ isReachable }) => isReachable).map(renew));
      await delay(RENEW_MS, undefined, { signal: stopping.signal });
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
