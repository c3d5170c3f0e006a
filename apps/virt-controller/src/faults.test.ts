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
import type { VirtController } from './virt-controller-options.ts';

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed();
  for (const name of ['n1', 'n2', 'n3', 'n4']) await bed.node(name);
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('starts each machine once though the controller is killed again and again', { timeout: 120_000 }, async () => {
  const names = Array.from({ length: 16 }, (_, index) => `vm-${index}`);
  const machines = bed.client.resource(virtualMachineKind);
  const created = Promise.all(names.map((name) => machines.create(machineDraft(namespace, name, 'Always'))));

  for (const name of ['vm-1', 'vm-5', 'vm-9', 'vm-14']) {
    await bed.until(virtualMachineInstanceKind, `${namespace}/${name}`, hasStarted);
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
  await bed.untilGone(virtualMachineKind, `${namespace}/vm-9`);
  await bed.crash();
  await bed.restart();
  await Promise.all(names.map((name) => bed.untilGone(virtualMachineKind, `${namespace}/${name}`)));
  expect(await instances()).toEqual([]);
  expect((await bed.client.resource(podKind).list({ namespace })).items).toEqual([]);
});

it('lets one of two controllers work, and the other when that stops', { timeout: 30_000 }, async () => {
  await bed.crash();
  const first = await bed.another({ leaderElection: { namespace, identity: 'a', retryMs: 100 } });
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'first'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/first`, hasStarted);
  const second = await bed.another({ leaderElection: { namespace, identity: 'b', retryMs: 100 } });
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'second'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/second`, hasStarted);
  const idle = objectsMadeBy(second);

  await first[Symbol.asyncDispose]();
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'third'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/third`, hasStarted);

  expect(idle).toBe(0);
  expect(objectsMadeBy(second)).toBeGreaterThan(0);
  const writes = await bed.writes(namespace, 'pods');
  expect(writes.filter((each) => each === 'virt-controller: create')).toHaveLength(3);
});

async function instances(): Promise<readonly VirtualMachineInstance[]> {
  return (await bed.client.resource(virtualMachineInstanceKind).list({ namespace })).items;
}

function hasStarted({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running';
}

function isRunning({ status }: VirtualMachine): boolean {
  return status?.printableStatus === 'Running';
}

/** How many objects a controller has made, pods and events. */
function objectsMadeBy({ context }: VirtController): number {
  const lines = context.metrics.expose().split('\n');
  const line = lines.find((each) => each.startsWith('rest_client_requests_total{code="201",method="POST"')) ?? ' 0';
  return Number(line.slice(line.lastIndexOf(' ')));
}
