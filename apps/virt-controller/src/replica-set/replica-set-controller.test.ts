import { setImmediate } from 'node:timers/promises';

import { Informer, systemClock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceReplicaSetKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { holdDeletes } from '../fixtures/held-deletes.ts';
import { instanceDraft } from '../fixtures/vm-objects.ts';
import { IndexName } from '../frame/index-names.ts';
import { createReplicaSetController } from './replica-set-controller.ts';

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed();
  await bed.node('n1');
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('keeps as many instances as it is told, never one too many, by its scale too', async () => {
  const sets = bed.client.resource(virtualMachineInstanceReplicaSetKind);
  await sets.create(replicaSet('web', 3));
  const three = await untilReady('web', 3);

  await sets.scale('web', 5, { namespace });
  await untilReady('web', 5);
  await sets.scale('web', 1, { namespace });
  await untilReady('web', 1);
  await expect.poll(async () => (await instances()).length).toBe(1);

  expect(three.status).toMatchObject({ replicas: 3, readyReplicas: 3, labelSelector: 'app=web' });
  expect(
    (await bed.writes(namespace, 'virtualmachineinstances')).filter((each) => each === 'virt-controller: create'),
  ).toHaveLength(5);
});

it('makes a new one for each that has ended', async () => {
  await bed.client.resource(virtualMachineInstanceReplicaSetKind).create(replicaSet('short', 2));
  await untilReady('short', 2);
  const [first] = await instances();

  await bed.nodes.endGuest(`${namespace}/${first?.metadata.name}`, 'Failed');
  await bed.untilGone(virtualMachineInstanceKind, `${namespace}/${first?.metadata.name}`);
  await untilReady('short', 2);

  expect((await instances()).map(({ metadata }) => metadata.uid)).not.toContain(first?.metadata.uid);
});

it('does nothing while it is paused, and says so', async () => {
  const sets = bed.client.resource(virtualMachineInstanceReplicaSetKind);
  await sets.create(replicaSet('still', 2, { paused: true }));

  const paused = await until('still', ({ status }) => (status?.conditions ?? []).length > 0);
  const before = (await instances()).length;
  await sets.patch('still', 'merge', { spec: { paused: false } }, { namespace });
  await untilReady('still', 2);

  expect(paused.status?.conditions).toMatchObject([{ type: 'ReplicaPaused', status: 'True' }]);
  expect(before).toBe(0);
});

it('says what is wrong with a selector that does not match its template', async () => {
  const draft = replicaSet('wrong', 1, { selector: { matchLabels: { app: 'other' } } });
  await bed.client.resource(virtualMachineInstanceReplicaSetKind).create(draft);

  const failed = await until('wrong', ({ status }) => (status?.conditions ?? []).length > 0);

  expect(failed.status?.conditions).toMatchObject([
    { type: 'ReplicaFailure', message: expect.stringContaining('make them the same') },
  ]);
});

it('makes no more than it is to have when the controller is killed in between', async () => {
  await bed.client.resource(virtualMachineInstanceReplicaSetKind).create(replicaSet('many', 20));
  await expect.poll(async () => (await instances()).length).toBeGreaterThan(3);

  await bed.crash();
  await bed.restart();
  await untilReady('many', 20);

  expect(await instances()).toHaveLength(20);
});

it('ends a pass when all is answered, though something has failed: the next would delete one too many', async () => {
  const { client: held, told, letGo } = holdDeletes();
  const client = held as unknown as KubeClient;
  const onFailure = vi.fn<() => void>();
  const replicaSets = new Informer(client.resource(virtualMachineInstanceReplicaSetKind), { onFailure });
  const own = new Informer(client.resource(virtualMachineInstanceKind), { onFailure });
  own.addIndex(IndexName.owner, () => ['set-uid']);
  own.addIndex(IndexName.free, () => []);
  const { metadata, ...rest } = replicaSet('held', 0);
  replicaSets.cache.put({ ...rest, metadata: { ...metadata, uid: 'set-uid' } });
  for (const name of ['a', 'b', 'c']) own.cache.put(ownInstance(name));
  const recorder = { record: async () => undefined };
  const context = { client, replicaSets, instances: own, recorder, ignore: onFailure, clock: systemClock };
  const { reconcile } = createReplicaSetController(
    context as unknown as Parameters<typeof createReplicaSetController>[0],
  );

  const pass = reconcile(`${namespace}/held`, AbortSignal.timeout(60_000)).catch((error: unknown) =>
    told.push(String(error)),
  );
  // Whatever does not wait for an answer has happened by then.
  await setImmediate();
  letGo();
  await pass;

  expect(told).toEqual([expect.stringMatching(/^deleted/u), expect.stringMatching(/^deleted/u), 'Error: broken']);
});

function ownInstance(name: string): VirtualMachineInstance {
  const { metadata, ...rest } = instanceDraft(namespace, name);
  const set = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceReplicaSet', name: 'held', uid: 'set-uid' };
  const ownerReferences = [{ ...set, controller: true }];
  return { ...rest, metadata: { ...metadata, labels: { app: 'held' }, ownerReferences } };
}

function replicaSet(name: string, replicas: number, spec: object = {}): VirtualMachineInstanceReplicaSet {
  const { spec: template } = instanceDraft(namespace, name);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: template },
      ...spec,
    },
  };
}

async function instances(): Promise<readonly VirtualMachineInstance[]> {
  return (await bed.client.resource(virtualMachineInstanceKind).list({ namespace })).items;
}

async function until(
  name: string,
  isWanted: (set: VirtualMachineInstanceReplicaSet) => boolean,
): Promise<VirtualMachineInstanceReplicaSet> {
  return await bed.until(virtualMachineInstanceReplicaSetKind, `${namespace}/${name}`, isWanted);
}

async function untilReady(name: string, count: number): Promise<VirtualMachineInstanceReplicaSet> {
  return await until(name, ({ status }) => status?.replicas === count && status.readyReplicas === count);
}
