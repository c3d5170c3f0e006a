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
