import { setImmediate } from 'node:timers/promises';

import { Informer, systemClock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  virtualMachinePoolKind,
  type VirtualMachine,
  type VirtualMachinePool,
} from '@smalt/vm-api';
import { expect, it, vi } from 'vitest';

import { holdDeletes } from '../fixtures/held-deletes.ts';
import { machineDraft } from '../fixtures/vm-objects.ts';
import { controllerOf } from '../frame/controller-of.ts';
import { IndexName } from '../frame/index-names.ts';
import { volumeClaimKind } from '../kinds/volume-claim.ts';
import { createPoolController } from './pool-controller.ts';

type PoolContext = Parameters<typeof createPoolController>[0];

it('ends a pass when all is answered, though something has failed: the next would delete one too many', async () => {
  const { client: held, told, letGo } = holdDeletes();
  const client = held as unknown as KubeClient;
  const onFailure = vi.fn<() => void>();
  const pools = new Informer(client.resource(virtualMachinePoolKind), { onFailure });
  const machines = new Informer(client.resource(virtualMachineKind), { onFailure });
  const instances = new Informer(client.resource(virtualMachineInstanceKind), { onFailure });
  const claims = new Informer(client.resource(volumeClaimKind), { onFailure });
  machines.addIndex(IndexName.owner, (each) => [controllerOf(each)?.uid ?? '']);
  pools.cache.put(pool());
  for (const name of ['web-0', 'web-1', 'web-2']) machines.cache.put(machine(name));
  const recorder = { record: async () => undefined };
  const context = { client, pools, machines, instances, claims, recorder, ignore: onFailure, clock: systemClock };
  const { reconcile } = createPoolController({ ...context, random: () => 0 } as unknown as PoolContext);

  const pass = reconcile('d/web', AbortSignal.timeout(60_000)).catch((error: unknown) => told.push(String(error)));
  // Whatever does not wait for an answer has happened by then.
  await setImmediate();
  letGo();
  await pass;

  expect(told).toEqual(['deleted web-1', 'deleted web-2', 'Error: broken']);
});

function pool(): VirtualMachinePool {
  const { spec } = machineDraft('d', 'web', 'Always');
  const labels = { app: 'web' };
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'd', uid: 'pool-uid' },
    spec: { replicas: 0, selector: { matchLabels: labels }, virtualMachineTemplate: { metadata: { labels }, spec } },
  };
}

function machine(name: string): VirtualMachine {
  const draft = machineDraft('d', name, 'Always');
  const owner = { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: 'web', uid: 'pool-uid' };
  const metadata = { ...draft.metadata, uid: name, labels: { app: 'web' } };
  return { ...draft, metadata: { ...metadata, ownerReferences: [{ ...owner, controller: true }] } };
}
