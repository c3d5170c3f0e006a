import type { Fields, ListOptions, ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startComputeBed, type ComputeBed } from '../fixtures/compute-bed.ts';
import { VmApiAccess } from '../vm-api-access.ts';
import { InstanceIds } from './instance-ids.ts';
import { VmInstances } from './vm-instances.ts';

const signal = AbortSignal.timeout(120_000);
let bed: ComputeBed;

beforeAll(async () => {
  bed = await startComputeBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('finds instances by what their hypervisor calls them, without a look at all others, and those that are gone are gone with that', async () => {
  const api = new CountingAccess(bed.api.client);
  const ids = new InstanceIds(api);
  const instances = new VmInstances({ api, ids, isHeard: () => true });
  const [uuid, another] = ['8b1c9a3e-0000-4000-8000-00000000000a', '8b1c9a3e-0000-4000-8000-00000000000b'];
  await bed.instance('d-one', 'd-host');
  await bed.api.instances.patch('d-one', 'merge', firmwareOf(uuid), { namespace: 'shop' });

  const found = await instances.get(uuid, signal, 'shop_d-one');
  const again = await instances.get(uuid, signal);
  const other = await instances.get(another, signal, 'shop_d-one');
  const byKey = await instances.get('shop/d-one', signal, 'shop_another');
  await bed.removeInstance('d-one');
  const gone = await instances.get(uuid, signal, 'shop_d-one');
  const listsBefore = api.lists;
  const foreign = await instances.get(uuid, signal, 'by-hand');

  expect([found, again, byKey].map((each) => each?.name)).toEqual(['d-one', 'd-one', 'd-one']);
  expect([other, gone, foreign]).toEqual([undefined, undefined, undefined]);
  expect([listsBefore, api.lists]).toEqual([0, 2]);
});

it('counts those whose launcher is bound to a host, though they are on no host yet', async () => {
  const host = await bed.host('s-host');
  const vmi = await bed.newborn('s-vm');
  await bed.launcher(vmi, 's-pod', 's-host');

  const listed = await bed.compute.instances.list(host, signal);
  await bed.api.pods.patch('s-pod', 'merge', { status: { phase: 'Failed' } }, { ...SHOP, subresource: 'status' });

  expect(listed).toMatchObject([{ id: 'shop/s-vm', state: 'building', stateText: 'Scheduling', hostName: 's-host' }]);
  expect(await bed.compute.instances.list(host, signal)).toEqual([]);
});

it('counts those that a migration brings to a host, from when the launcher is bound there until they stay away', async () => {
  const [host, home] = [await bed.host('a-host'), await bed.host('a-home')];
  const vmi = await bed.instance('a-vm', 'a-home');
  await bed.launcher(vmi, 'a-source', 'a-home');
  const look = async () => (await bed.compute.instances.list(host, signal)).map(({ id, state }) => `${id} ${state}`);

  const before = await look();
  await bed.launcher(vmi, 'a-target', 'a-host');
  await bed.api.pods.patch('a-target', 'merge', MADE_FOR_MIGRATION, SHOP);
  const bound = await bed.compute.instances.list(host, signal);
  // As it is handed over; whoever cleans up pods ends no migration.
  const labels = { 'kubevirt.io/migrationTargetNodeName': 'a-host' };
  await bed.api.instances.patch('a-vm', 'merge', { metadata: { labels } }, SHOP);
  const migrationState = { sourceNode: 'a-home', sourcePod: 'a-source', targetNode: 'a-host', targetPod: 'a-target' };
  await bed.tell('a-vm', { migrationState });
  await bed.api.pods.delete('a-target', { ...SHOP, gracePeriodSeconds: 0 });
  const handedOver = await look();
  await bed.tell('a-vm', { migrationState: { ...migrationState, completed: true, failed: true } });

  expect(before).toEqual([]);
  expect(bound).toMatchObject([
    { id: 'shop/a-vm', state: 'moving', stateText: 'Migrating', hostName: 'a-home', isArriving: true },
  ]);
  expect(handedOver).toEqual(['shop/a-vm moving']);
  expect(await look()).toEqual([]);
  expect(await bed.compute.instances.list(home, signal)).toMatchObject([{ id: 'shop/a-vm', state: 'running' }]);
});

it('does not count those that have gone over to another host, though their launcher has not ended yet', async () => {
  const host = await bed.host('l-host');
  const vmi = await bed.instance('l-vm', 'l-next');
  await bed.launcher(vmi, 'l-source', 'l-host');
  const migrationState = { sourceNode: 'l-host', sourcePod: 'l-source', targetNode: 'l-next', targetPod: 'l-target' };

  await bed.tell('l-vm', { migrationState });
  const meanwhile = await bed.compute.instances.list(host, signal);
  await bed.tell('l-vm', { migrationState: { ...migrationState, completed: true } });

  expect(meanwhile).toHaveLength(1);
  expect(await bed.compute.instances.list(host, signal)).toEqual([]);
});

it('does not count those that have gone on from there to a third host, or stayed when they tried', async () => {
  const host = await bed.host('o-host');
  const vmi = await bed.instance('o-vm', 'o-next');
  await bed.launcher(vmi, 'o-source', 'o-host');
  const onward = { sourceNode: 'o-next', sourcePod: 'o-target', targetNode: 'o-third', targetPod: 'o-last' };
  const look = async () => await bed.compute.instances.list(host, signal);

  await bed.tell('o-vm', { migrationState: onward });
  const answers = [await look()];
  await bed.tell('o-vm', { migrationState: { ...onward, completed: true, failed: true } });
  answers.push(await look());
  await bed.tell('o-vm', { nodeName: 'o-third', migrationState: { ...onward, completed: true, failed: false } });
  answers.push(await look());
  // It had come to the first host by a migration as well.
  await bed.api.pods.patch('o-source', 'merge', MADE_FOR_MIGRATION, SHOP);
  await bed.api.pods.delete('o-source', SHOP);
  answers.push(await look());

  expect(answers).toEqual([[], [], [], []]);
  expect((await bed.api.pods.get('o-source', SHOP)).metadata).toHaveProperty('deletionTimestamp');
});

it('counts nothing for the launcher of an instance that is gone, or that another one has followed', async () => {
  const host = await bed.host('g-host');
  const vmi = await bed.newborn('g-vm');
  await bed.launcher(vmi, 'g-pod', 'g-host');
  await bed.removeInstance('g-vm');
  const gone = await bed.compute.instances.list(host, signal);
  await bed.newborn('g-vm');

  expect([gone, await bed.compute.instances.list(host, signal)]).toEqual([[], []]);
});

const SHOP = { namespace: 'shop' };
const MADE_FOR_MIGRATION: Fields = { metadata: { labels: { 'kubevirt.io/migrationJobUID': 'a-migration' } } };

class CountingAccess extends VmApiAccess {
  lists = 0;

  override async all<T extends KubernetesObject>(from: ResourceClient<T>, options: ListOptions): Promise<readonly T[]> {
    this.lists += 1;
    return await super.all(from, options);
  }
}

function firmwareOf(uuid: string): Fields {
  return { spec: { domain: { firmware: { uuid } } } };
}
