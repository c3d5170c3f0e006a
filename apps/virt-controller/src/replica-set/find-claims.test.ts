import { AwaitedWrites, Informer, systemClock } from '@smalt/controller-runtime';
import { KubeError, type KubeClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
} from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { instanceDraft } from '../fixtures/vm-objects.ts';
import { controllerOf } from '../frame/controller-of.ts';
import { IndexName } from '../frame/index-names.ts';
import { findClaims, type ClaimActing } from './claim-instances.ts';

it('takes nothing when the set is being deleted, though the cache does not know yet', async () => {
  const { acting } = world([free('a')], async () => replicaSet({ deletionTimestamp: '2026-01-01T00:00:00Z' }));

  const found = await findClaims(acting, replicaSet(), AbortSignal.timeout(1_000));

  expect(found?.claims).toEqual({ own: [], adopted: [], released: [] });
});

it.each([
  ['is gone', () => Promise.reject(new KubeError('not-found', 'no such set'))],
  ['is another one by now', () => Promise.resolve(replicaSet({ uid: 'another' }))],
])('decides nothing when the set %s', async (_what, read) => {
  const { acting } = world([free('a')], read);

  expect(await findClaims(acting, replicaSet(), AbortSignal.timeout(1_000))).toBeUndefined();
});

it('goes by the set as the API has it, and does not ask when there is nothing to take', async () => {
  const fresh = replicaSet({ resourceVersion: '7' });
  const { acting, asked } = world([free('a')], async () => fresh);

  const taking = await findClaims(acting, replicaSet(), AbortSignal.timeout(1_000));
  const before = asked();
  const { acting: idle, asked: askedIdle } = world([], async () => fresh);
  await findClaims(idle, replicaSet(), AbortSignal.timeout(1_000));

  expect(taking?.replicaSet).toBe(fresh);
  expect(taking?.claims.adopted).toMatchObject([{ object: { metadata: { name: 'a' } } }]);
  expect([before, askedIdle()]).toEqual([1, 0]);
});

it('waits while one that was just taken still looks free', async () => {
  const { acting } = world([free('a')], async () => replicaSet());
  const { metadata, ...rest } = free('a');
  acting.writtenInstances.note({ ...rest, metadata: { ...metadata, resourceVersion: '9' } });

  expect(await findClaims(acting, replicaSet(), AbortSignal.timeout(1_000))).toBeUndefined();
});

function world(
  known: readonly VirtualMachineInstance[],
  read: () => Promise<VirtualMachineInstanceReplicaSet>,
): { readonly acting: ClaimActing; readonly asked: () => number } {
  let count = 0;
  const get = (): Promise<VirtualMachineInstanceReplicaSet> => {
    count += 1;
    return read();
  };
  const client = { resource: () => ({ get }) } as unknown as KubeClient;
  const instances = new Informer(client.resource(virtualMachineInstanceKind), { onFailure: () => undefined });
  instances.addIndex(IndexName.owner, (each) => [controllerOf(each)?.uid ?? '']);
  instances.addIndex(IndexName.free, (each) => (controllerOf(each) === undefined ? ['d'] : []));
  for (const each of known) instances.cache.put(each);
  const recorder = { record: async () => undefined } as unknown as ClaimActing['recorder'];
  const writtenInstances = new AwaitedWrites(instances, systemClock);
  return { acting: { client, instances, recorder, ignore: () => undefined, writtenInstances }, asked: () => count };
}

function free(name: string): VirtualMachineInstance {
  const { metadata, ...rest } = instanceDraft('d', name);
  return { ...rest, metadata: { ...metadata, uid: name, resourceVersion: '1', labels: { app: 'web' } } };
}

function replicaSet(
  metadata: Partial<VirtualMachineInstanceReplicaSet['metadata']> = {},
): VirtualMachineInstanceReplicaSet {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'web', namespace: 'd', uid: 'set-uid', ...metadata },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: instanceDraft('d', 'web').spec },
    },
  };
}
