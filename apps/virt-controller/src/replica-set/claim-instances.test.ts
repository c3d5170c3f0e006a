import type { OwnerReference } from '@smalt/kubernetes';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceReplicaSetKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { instanceDraft } from '../fixtures/vm-objects.ts';
import { namespaceKind } from '../kinds/migration-policy.ts';

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

it('takes instances that match and that nobody looks after, before it makes others', async () => {
  const before = await create(instance('mine', { app: 'web' }));
  await sets().create(replicaSet('web', 2));

  const { metadata } = await untilOwned('mine', 'web');
  await untilReady('web', 2);

  expect(metadata.uid).toBe(before.metadata.uid);
  expect(metadata.ownerReferences).toMatchObject([{ name: 'web', controller: true, blockOwnerDeletion: true }]);
  expect(await all()).toHaveLength(2);
});

it('takes one that comes to match later, and deletes one too many of them then', async () => {
  await sets().create(replicaSet('late', 1));
  await untilReady('late', 1);
  await create(instance('other', { app: 'else' }));

  await relabel('other', 'late');

  await expect.poll(async () => (await all()).length).toBe(1);
  const [left] = await all();
  expect(left?.metadata.ownerReferences).toMatchObject([{ name: 'late' }]);
});

it('lets go of an instance whose labels no longer match, and makes another one', async () => {
  await sets().create(replicaSet('shop', 1));
  await untilReady('shop', 1);
  const [first] = await all();
  const name = first?.metadata.name ?? '';

  await relabel(name, 'aside');
  await bed.until(
    virtualMachineInstanceKind,
    `${namespace}/${name}`,
    ({ metadata }) => ownersOf(metadata).length === 0,
  );
  await expect.poll(async () => (await all()).filter(isOf('shop')).length).toBe(1);

  const released = (await all()).find(({ metadata }) => metadata.name === name);
  expect(released?.metadata).toMatchObject({ uid: first?.metadata.uid, labels: { app: 'aside' } });
  expect(released?.status?.phase).toBe('Running');
  expect(await all()).toHaveLength(2);
});

it('never touches what somebody else looks after, nor what is being deleted', async () => {
  const { metadata } = await bed.client.resource(namespaceKind).get(namespace);
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: namespace, uid: metadata.uid ?? '', controller: true };
  const theirs = instance('theirs', { app: 'web' });
  await create({ ...theirs, metadata: { ...theirs.metadata, ownerReferences: [owner] } });
  const held = instance('held', { app: 'web' });
  await create({ ...held, metadata: { ...held.metadata, finalizers: ['example.dev/hold'] } });
  await bed.client.resource(virtualMachineInstanceKind).delete('held', { namespace });

  await sets().create(replicaSet('web', 1));
  await untilReady('web', 1);

  const owners = (await all()).map((each) => [each.metadata.name, ownersOf(each.metadata).map(({ kind }) => kind)]);
  expect(Object.fromEntries(owners)).toMatchObject({ theirs: ['Namespace'], held: [] });
  expect((await all()).filter(isOf('web'))).toHaveLength(1);
  await letGo('held');
});

it('takes back what was orphaned by the deletion of a set before', { timeout: 90_000 }, async () => {
  await untilCollected();
  await sets().create(replicaSet('web', 2));
  await untilReady('web', 2);
  const before = names(await all());

  await sets().delete('web', { namespace, propagationPolicy: 'Orphan' });
  await bed.untilGone(virtualMachineInstanceReplicaSetKind, `${namespace}/web`);
  await expect.poll(async () => (await all()).every(({ metadata }) => ownersOf(metadata).length === 0)).toBe(true);
  await sets().create(replicaSet('web', 2));
  await untilReady('web', 2);

  await expect.poll(async () => (await all()).every(isOf('web'))).toBe(true);
  expect(names(await all())).toEqual(before);
});

/** Kubernetes learns of new kinds late: until then it deletes what it should orphan, once it knows. */
async function untilCollected(): Promise<void> {
  await sets().create(replicaSet('first', 1));
  await untilReady('first', 1);
  await sets().delete('first', { namespace });
  await expect.poll(async () => (await all()).length, { timeout: 60_000 }).toBe(0);
}

function sets() {
  return bed.client.resource(virtualMachineInstanceReplicaSetKind);
}

function replicaSet(name: string, replicas: number): VirtualMachineInstanceReplicaSet {
  const { spec: template } = instanceDraft(namespace, name);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: template },
    },
  };
}

function instance(name: string, labels: Readonly<Record<string, string>>): VirtualMachineInstance {
  const draft = instanceDraft(namespace, name);
  return { ...draft, metadata: { ...draft.metadata, labels } };
}

async function create(draft: VirtualMachineInstance): Promise<VirtualMachineInstance> {
  return await bed.client.resource(virtualMachineInstanceKind).create(draft);
}

async function relabel(name: string, app: string): Promise<void> {
  const patch = { metadata: { labels: { app } } };
  await bed.client.resource(virtualMachineInstanceKind).patch(name, 'merge', patch, { namespace });
}

async function letGo(name: string): Promise<void> {
  const patch = { metadata: { finalizers: null } };
  await bed.client.resource(virtualMachineInstanceKind).patch(name, 'merge', patch, { namespace });
}

async function all(): Promise<readonly VirtualMachineInstance[]> {
  return (await bed.client.resource(virtualMachineInstanceKind).list({ namespace })).items;
}

async function untilOwned(name: string, set: string): Promise<VirtualMachineInstance> {
  return await bed.until(virtualMachineInstanceKind, `${namespace}/${name}`, isOf(set));
}

async function untilReady(name: string, count: number): Promise<VirtualMachineInstanceReplicaSet> {
  return await bed.until(
    virtualMachineInstanceReplicaSetKind,
    `${namespace}/${name}`,
    ({ status }) => status?.replicas === count && status.readyReplicas === count,
  );
}

function isOf(set: string): (each: VirtualMachineInstance) => boolean {
  return ({ metadata }) => ownersOf(metadata).some(({ name }) => name === set);
}

function ownersOf(metadata: VirtualMachineInstance['metadata']): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function names(instances: readonly VirtualMachineInstance[]): readonly string[] {
  return instances.map(({ metadata }) => metadata.name).toSorted();
}
