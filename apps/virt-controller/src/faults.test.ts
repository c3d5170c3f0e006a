import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from './fixtures/controller-bed.ts';
import { instanceDraft, machineDraft } from './fixtures/vm-objects.ts';
import { podKind } from './kinds/launcher-pod.ts';

const TIMES = { leaseMs: 2_000, renewDeadlineMs: 1_500, retryMs: 100 };

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed();
  for (const name of ['n1', 'n2', 'n3', 'n4']) await bed.node(name);
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('starts each machine once though the controller is killed again and again', { timeout: 60_000 }, async () => {
  const names = Array.from({ length: 30 }, (_, index) => `vm-${index}`);
  const machines = bed.client.resource(virtualMachineKind);
  const created = Promise.all(names.map((name) => machines.create(machineDraft(namespace, name, 'Always'))));

  for (const share of [0.1, 0.3, 0.6, 0.9]) {
    await expect
      .poll(async () => (await runningOnes()).length, { interval: 5, timeout: 20_000 })
      .toBeGreaterThanOrEqual(names.length * share);
    await bed.crash();
    await bed.restart();
  }
  await created;
  await Promise.all(names.map((name) => bed.until(virtualMachineKind, `${namespace}/${name}`, isRunning)));

  const uids = (await instances()).map(({ metadata }) => metadata.uid ?? '');
  expect(uids).toHaveLength(names.length);
  expect(bed.nodes.started.filter((uid) => uids.includes(uid))).toHaveLength(names.length);
  expect((await bed.client.resource(podKind).list({ namespace })).items).toHaveLength(names.length);
  expect(bed.nodes.twice).toEqual([]);

  await Promise.all(names.map((name) => machines.delete(name, { namespace })));
  await expect.poll(async () => (await machines.list({ namespace })).items.length, { timeout: 5_000 }).toBeLessThan(20);
  await bed.crash();
  await bed.restart();
  await expect.poll(async () => (await machines.list({ namespace })).items.length, { timeout: 20_000 }).toBe(0);
  expect(await instances()).toEqual([]);
  expect((await bed.client.resource(podKind).list({ namespace })).items).toEqual([]);
});

it('lets one of two controllers work, and the other when that is gone', { timeout: 30_000 }, async () => {
  await bed.restart({ leaderElection: { namespace, identity: 'a', ...TIMES } });
  const other = await bed.another({ leaderElection: { namespace, identity: 'b', ...TIMES } });
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'first'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/first`, hasStarted);

  await bed.crash();
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'second'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/second`, hasStarted);
  await other[Symbol.asyncDispose]();
  await bed.restart();

  const writes = await bed.writes(namespace, 'pods');
  expect(writes.filter((each) => each === 'virt-controller: create')).toHaveLength(2);
});

async function instances(): Promise<readonly VirtualMachineInstance[]> {
  return (await bed.client.resource(virtualMachineInstanceKind).list({ namespace })).items;
}

async function runningOnes(): Promise<readonly VirtualMachineInstance[]> {
  return (await instances()).filter(hasStarted);
}

function hasStarted({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running';
}

function isRunning({ status }: VirtualMachine): boolean {
  return status?.printableStatus === 'Running';
}
