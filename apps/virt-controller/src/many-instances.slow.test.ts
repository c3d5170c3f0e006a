import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from './fixtures/controller-bed.ts';
import { instanceDraft } from './fixtures/vm-objects.ts';

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

it('starts five hundred instances that come at once, by six writes each', { timeout: 120_000 }, async () => {
  const names = Array.from({ length: 500 }, (_, index) => `many-${index}`);
  await Promise.all(
    names.map((name) => bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, name))),
  );

  await expect.poll(async () => (await runningOnes()).length, { interval: 250, timeout: 90_000 }).toBe(500);

  const [pods, vmis] = [await bed.writes(namespace, 'pods'), await bed.writes(namespace, 'virtualmachineinstances')];
  const byUs = vmis.filter((each) => !each.startsWith('controller-bed'));
  expect(pods.length + byUs.length).toBe(500 * 6);
  expect(bed.nodes.twice).toEqual([]);
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
