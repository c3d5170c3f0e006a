import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { instanceDraft } from '../fixtures/vm-objects.ts';
import { podKind } from '../kinds/launcher-pod.ts';
import { volumeClaimKind } from '../kinds/volume-claim.ts';

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed();
  await bed.node('n1');
  await bed.node('n2');
  namespace = await bed.namespace();
});

afterAll(() => bed[Symbol.asyncDispose]());

// One instance lives through all of it in this order.
it('waits for the claim of a volume that is plugged in, without holding the guest up', async () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } }];
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'web', { volumes }));

  await until(({ status }) => status?.phase === 'Running');

  expect(await holders()).toEqual([]);
});

it('has a pod hold the claim on the node of the guest once it is there, and names it', async () => {
  await createClaim('data');

  const held = await until((instance) => holderOf(instance) !== undefined);

  const [pod, ...others] = await holders();
  expect(others).toEqual([]);
  expect(pod?.spec.nodeName).toBe(held.status?.nodeName);
  expect(holderOf(held)).toEqual({ attachPodName: pod?.metadata.name, attachPodUID: pod?.metadata.uid });
  expect(Object.keys(held.status?.activePods ?? {})).toHaveLength(1);
});

it('has another pod hold it when that one ends', async () => {
  const [first] = await holders();
  const options = { namespace, subresource: 'status' };

  await bed.client
    .resource(podKind)
    .patch(first?.metadata.name ?? '', 'merge', { status: { phase: 'Failed' } }, options);
  const held = await until((instance) => ![undefined, first?.metadata.uid].includes(holderOf(instance)?.attachPodUID));

  expect(holderOf(held)?.attachPodName).toBe(first?.metadata.name);
});

it('has the pod of another claim hold the volume once the guest has let go of the first', async () => {
  const [first] = await holders();
  await createClaim('other');

  await patch([{ op: 'replace', path: '/spec/volumes/0/persistentVolumeClaim/claimName', value: 'other' }]);
  await patch([{ op: 'replace', path: '/status/volumeStatus/0/hotplugVolume', value: {} }]);
  const held = await until(
    (instance) => ![undefined, '', first?.metadata.uid].includes(holderOf(instance)?.attachPodUID),
  );

  const [pod, ...others] = await holders();
  expect(others).toEqual([]);
  expect(pod?.spec.volumes).toMatchObject([{ name: 'data', persistentVolumeClaim: { claimName: 'other' } }]);
  expect(holderOf(held)?.attachPodUID).toBe(pod?.metadata.uid);
  expect(held.status?.volumeStatus).toMatchObject([{ persistentVolumeClaimInfo: { claimName: 'other' } }]);
});

it('keeps it until the handler says that the guest has let go of the volume', async () => {
  await patch([{ op: 'replace', path: '/spec/volumes', value: [] }]);
  const before = await holders();

  await patch([{ op: 'replace', path: '/status/volumeStatus', value: [] }]);
  await expect.poll(() => holders(), { timeout: 20_000 }).toEqual([]);

  expect(before).toHaveLength(1);
});

async function createClaim(name: string): Promise<void> {
  await bed.client.resource(volumeClaimKind).create({
    metadata: { name, namespace },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
  });
}

function holderOf({ status }: VirtualMachineInstance) {
  return status?.volumeStatus?.find(({ name }) => name === 'data')?.hotplugVolume;
}

async function until(isWanted: (instance: VirtualMachineInstance) => boolean): Promise<VirtualMachineInstance> {
  return await bed.until(virtualMachineInstanceKind, `${namespace}/web`, isWanted);
}

async function patch(operations: readonly { readonly op: string; readonly path: string; readonly value: unknown }[]) {
  await bed.client.resource(virtualMachineInstanceKind).patch('web', 'json', operations, { namespace });
}

async function holders() {
  const { items } = await bed.client.resource(podKind).list({ namespace });
  return items.filter(({ metadata }) => metadata.labels?.['kubevirt.io'] === 'hotplug-disk');
}
