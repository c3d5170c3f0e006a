import { eventKind } from '@smalt/controller-runtime';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  virtualMachinePoolKind,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachinePool,
  type VirtualMachinePoolSpec,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { createOwnedClaim } from '../fixtures/owned-claim.ts';
import { machineDraft } from '../fixtures/vm-objects.ts';
import { volumeClaimKind, type VolumeClaim } from '../kinds/volume-claim.ts';

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

it('keeps as many machines as it is told, never one too many, by its scale too', async () => {
  const pools = bed.client.resource(virtualMachinePoolKind);
  await pools.create(pool('web', 3, DESCENDING));
  const three = await untilReady('web', 3);

  await pools.scale('web', 5, { namespace });
  await untilReady('web', 5);
  await pools.scale('web', 2, { namespace });
  await untilReady('web', 2);
  await expect.poll(async () => names(await machines())).toEqual(['web-0', 'web-1']);

  expect(three.status).toMatchObject({ replicas: 3, readyReplicas: 3, labelSelector: 'app=web' });
  const writes = await bed.writes(namespace, 'virtualmachines');
  expect(writes.filter((each) => each === 'virt-controller: create')).toHaveLength(5);
  const { items } = await bed.client.resource(eventKind).list({ namespace });
  const told = items.filter(({ involvedObject }) => involvedObject['kind'] === 'VirtualMachinePool');
  expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(['SuccessfulCreate', 'SuccessfulDelete']));
}, 60_000);

it('makes anew what somebody deletes, with its number', async () => {
  await bed.client.resource(virtualMachinePoolKind).create(pool('kept', 2));
  await untilReady('kept', 2);
  const [first] = await machines();

  await bed.client.resource(virtualMachineKind).delete('kept-0', { namespace });
  await bed.until(virtualMachineKind, `${namespace}/kept-0`, ({ metadata }) => metadata.uid !== first?.metadata.uid);
  await untilReady('kept', 2);

  expect(names(await machines())).toEqual(['kept-0', 'kept-1']);
}, 60_000);

it('lets go of a machine whose labels no longer match, and makes another one', async () => {
  await bed.client.resource(virtualMachinePoolKind).create(pool('apart', 2));
  await untilReady('apart', 2);
  const patch = { metadata: { labels: { app: 'mine' } } };

  await bed.client.resource(virtualMachineKind).patch('apart-0', 'merge', patch, { namespace });
  await bed.until(virtualMachineKind, `${namespace}/apart-0`, ({ metadata }) => metadata.ownerReferences === undefined);
  await untilReady('apart', 2);

  await expect.poll(async () => names(await machines())).toEqual(['apart-0', 'apart-1', 'apart-2']);
  const instance = await bed.client.resource(virtualMachineInstanceKind).get('apart-0', { namespace });
  expect(instance.status?.phase).toBe('Running');
});

it('restarts what runs of an old template, one after the other, and keeps what guests know themselves by', async () => {
  const pools = bed.client.resource(virtualMachinePoolKind);
  await pools.create(pool('new', 3, { maxUnavailable: 1 }));
  await untilReady('new', 3);
  const before = await instances();
  const fewest = watchFewest('new');

  await pools.patch('new', 'merge', memory('96Mi'), { namespace });
  await expect
    .poll(async () => (await instances()).map(guestMemory), { timeout: 28_000 })
    .toEqual(['96Mi', '96Mi', '96Mi']);
  await untilReady('new', 3);

  expect(await fewest()).toBe(2);
  const after = await instances();
  expect(after.map(({ metadata }) => metadata.uid)).not.toEqual(before.map(({ metadata }) => metadata.uid));
  const marks = (await machines()).map(({ metadata }) => metadata.labels?.['kubevirt.io/vm-pool-revision-name']);
  expect(new Set(marks)).toEqual(new Set(['new-2']));
}, 60_000);

it('changes machines and restarts nothing where that is left to others', async () => {
  const pools = bed.client.resource(virtualMachinePoolKind);
  await pools.create(pool('calm', 1, { updateStrategy: { opportunistic: {} } }));
  await untilReady('calm', 1);
  const [before] = await instances();

  await pools.patch('calm', 'merge', memory('96Mi'), { namespace });
  const changed = await bed.until(
    virtualMachineKind,
    `${namespace}/calm-0`,
    ({ spec }) => spec.template.spec?.domain.memory?.guest === '96Mi',
  );

  const [after] = await instances();
  expect(after?.metadata.uid).toBe(before?.metadata.uid);
  expect(changed.metadata.ownerReferences).toMatchObject([{ kind: 'VirtualMachinePool', name: 'calm' }]);
}, 60_000);

it('does nothing while it is paused, and says so', async () => {
  const pools = bed.client.resource(virtualMachinePoolKind);
  await pools.create(pool('still', 2, { paused: true }));

  const paused = await until('still', ({ status }) => (status?.conditions ?? []).length > 0);
  const before = (await machines()).length;
  await pools.patch('still', 'merge', { spec: { paused: false } }, { namespace });
  await untilReady('still', 2);

  expect(paused.status?.conditions).toMatchObject([{ type: 'ReplicaPaused', status: 'True' }]);
  expect(before).toBe(0);
}, 60_000);

it('makes no more than it is to have when the controller is killed in between', async () => {
  await bed.client.resource(virtualMachinePoolKind).create(pool('many', 12));
  await expect.poll(async () => (await machines()).length).toBeGreaterThan(2);

  await bed.crash();
  await bed.restart();
  await untilReady('many', 12);

  expect(await machines()).toHaveLength(12);
}, 60_000);

it('takes its machines along', async () => {
  await bed.client.resource(virtualMachinePoolKind).create(pool('gone', 2));
  await untilReady('gone', 2);

  await bed.client.resource(virtualMachinePoolKind).delete('gone', { namespace });

  await expect.poll(async () => (await machines()).length, { timeout: 28_000 }).toBe(0);
}, 60_000);

it.each([
  ['Offline', 1],
  ['Disabled', 0],
] as const)(
  'with statePreservation %s keeps %i claims that belong to a machine which goes',
  async (statePreservation, kept) => {
    const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'data' } }];
    const { spec } = machineDraft(namespace, 'tidy', 'Halted', { volumes });
    const virtualMachineTemplate = { metadata: { labels: { app: 'tidy' } }, spec };
    const scaleInStrategy = { proactive: { statePreservation } };
    const pools = bed.client.resource(virtualMachinePoolKind);
    await pools.create(pool('tidy', 1, { virtualMachineTemplate, scaleInStrategy }));
    await until('tidy', ({ status }) => status?.replicas === 1);
    await createOwnedClaim(bed.client, { namespace, name: 'data', machine: 'tidy-0' });
    if (kept > 0)
      await bed.until(
        volumeClaimKind,
        `${namespace}/data`,
        ({ metadata }) => (metadata.ownerReferences ?? []).length === 0,
      );

    await pools.scale('tidy', 0, { namespace });
    await until('tidy', ({ status }) => status?.replicas === 0);
    // What is collected with a machine goes in the order of their deletion.
    await createOwnedClaim(bed.client, { namespace, name: 'marker', machine: await lastMachine() });
    await bed.client.resource(virtualMachineKind).delete('last', { namespace });
    await bed.untilGone(volumeClaimKind, `${namespace}/marker`);

    await expect.poll(async () => claims(), { timeout: 28_000 }).toHaveLength(kept);
  },
  60_000,
);

const DESCENDING: Partial<VirtualMachinePoolSpec> = {
  scaleInStrategy: { proactive: { selectionPolicy: { sortPolicy: 'DescendingOrder' } } },
};

function pool(name: string, replicas: number, change: Partial<VirtualMachinePoolSpec> = {}): VirtualMachinePool {
  const { spec } = machineDraft(namespace, name, 'Always');
  const labels = { app: name };
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      virtualMachineTemplate: { metadata: { labels }, spec },
      ...change,
    },
  };
}

function memory(guest: string): object & Readonly<Record<string, unknown>> {
  return { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain: { memory: { guest } } } } } } } };
}

function guestMemory({ spec }: VirtualMachineInstance): unknown {
  return spec.domain.memory?.guest;
}

async function machines(): Promise<readonly VirtualMachine[]> {
  const { items } = await bed.client.resource(virtualMachineKind).list({ namespace });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

async function lastMachine(): Promise<string> {
  await bed.client.resource(virtualMachineKind).create(machineDraft(namespace, 'last', 'Halted'));
  return 'last';
}

async function claims(): Promise<readonly VolumeClaim[]> {
  return (await bed.client.resource(volumeClaimKind).list({ namespace })).items;
}

async function instances(): Promise<readonly VirtualMachineInstance[]> {
  return (await bed.client.resource(virtualMachineInstanceKind).list({ namespace })).items;
}

function names(objects: readonly VirtualMachine[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}

/** Watches a pool from now on; tells how few of its machines were ready at a time. */
function watchFewest(name: string): () => Promise<number> {
  const stop = new AbortController();
  let fewest = Number.POSITIVE_INFINITY;
  const watching = (async () => {
    const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
    const pools = bed.client.resource(virtualMachinePoolKind);
    const { metadata } = await pools.list({ namespace, fieldSelector });
    const select = { namespace, fieldSelector, resourceVersion: metadata.resourceVersion, signal: stop.signal };
    for await (const events of pools.watch(select)) {
      for (const event of events) {
        if ('object' in event && 'status' in event.object)
          fewest = Math.min(fewest, Number(Object(event.object.status).readyReplicas));
      }
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return async () => {
    stop.abort();
    await watching;
    return fewest;
  };
}

async function until(name: string, isWanted: (pool: VirtualMachinePool) => boolean): Promise<VirtualMachinePool> {
  return await bed.until(virtualMachinePoolKind, `${namespace}/${name}`, isWanted);
}

async function untilReady(name: string, count: number): Promise<VirtualMachinePool> {
  return await until(name, ({ status }) => status?.replicas === count && status.readyReplicas === count);
}
