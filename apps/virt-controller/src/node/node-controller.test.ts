import { readFleetDefinitions } from '@smalt/fleet-api';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { machineDraft } from '../fixtures/vm-objects.ts';
import { nodeKind } from '../kinds/cluster-node.ts';
import { fencedHypervisorKind } from '../kinds/fenced-hypervisor.ts';
import { podKind } from '../kinds/launcher-pod.ts';

const SILENCE_MS = 301_000;
/** A machine that failed is not started again before. */
const RETRY_MS = 60_000;

let bed: ControllerBed;
let namespace: string;
let count = 0;
const silent = new Set<string>();

beforeAll(async () => {
  bed = await startControllerBed({
    behaviour: { silent: (name) => silent.has(name) },
    definitions: await readFleetDefinitions(),
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
  count += 1;
});

it('keeps new instances off a silent node, and leaves those alone that may run there', async () => {
  const { home, other } = await twoNodes();
  const first = await start('lonely', home);

  await fallSilent(home, other);
  const node = await bed.until(
    nodeKind,
    home,
    ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false',
  );
  const unready = await untilInstance('lonely', isUnresponsive);
  const untouched = await bed.client.resource(virtualMachineInstanceKind).get('lonely', { namespace });

  expect(node.metadata.name).toBe(home);
  expect(unready.status?.phase).toBe('Running');
  expect(untouched.metadata.uid).toBe(first.metadata.uid);

  silent.delete(home);
  await bed.heartbeat(home);
  await untilInstance('lonely', (vmi) => !isUnresponsive(vmi));
});

it.each([
  ['ahead', 10],
  ['behind', -10],
])('goes by when a heartbeat changed, on a node whose clock is %s', async (_, offMinutes) => {
  const { home, other } = await twoNodes();
  const beat = async (): Promise<void> => {
    const text = new Date(bed.clock.now() + offMinutes * 60_000).toISOString();
    const annotations = { 'kubevirt.io/heartbeat': text };
    await bed.client.resource(nodeKind).patch(home, 'merge', { metadata: { annotations } });
    const seen = () => bed.controller.context.nodes.cache.get(home)?.metadata.annotations?.['kubevirt.io/heartbeat'];
    await expect.poll(seen).toBe(text);
  };
  await beat();
  await start('offset', home);
  // It beats once more, while the other falls silent.
  bed.clock.advance(200_000);
  await beat();
  bed.clock.advance(SILENCE_MS - 200_000);
  const isOpen = async (name: string): Promise<boolean> =>
    (await bed.client.resource(nodeKind).get(name)).metadata.labels?.['kubevirt.io/schedulable'] === 'true';
  await expect.poll(() => isOpen(other)).toBe(false);
  const whileBeating = await isOpen(home);
  const heard = await bed.client.resource(virtualMachineInstanceKind).get('offset', { namespace });

  silent.add(home);
  bed.clock.advance(SILENCE_MS);
  const unready = await untilInstance('offset', isUnresponsive);

  expect([whileBeating, isUnresponsive(heard)]).toEqual([true, false]);
  expect(unready.status?.phase).toBe('Running');
  await expect.poll(() => isOpen(home)).toBe(false);
});

it('starts a machine elsewhere when its node is proved to be off, once', async () => {
  const { home, other } = await twoNodes();
  const first = await start('saved', home);
  await fallSilent(home, other);
  await untilInstance('saved', isUnresponsive);

  bed.nodes.cutPower(home);
  const annotations = { 'smalt.dev/fenced-at': new Date(bed.clock.now()).toISOString() };
  await bed.client.resource(nodeKind).patch(home, 'merge', { metadata: { annotations } });
  const second = await untilInstance(
    'saved',
    ({ metadata, status }) => status?.phase === 'Running' && metadata.uid !== first.metadata.uid,
  );

  expect(second.status?.nodeName).toBe(other);
  expect(bed.nodes.domainsOf(`${namespace}/saved`)).toEqual([other]);
  const { items } = await bed.client.resource(podKind).list({ namespace });
  expect(items.map(({ spec }) => spec.nodeName)).toEqual([other]);
  expect(bed.nodes.twice).toEqual([]);
});

it('starts a machine elsewhere, without any proof, whose node fell silent before it was told to run it', async () => {
  const { home, other } = await twoNodes();
  silent.add(home);
  await create('early', home);
  const waiting = () => bed.controller.context.pods.cache.list().find(({ spec }) => spec.nodeName === home);
  await expect.poll(waiting, { timeout: 20_000 }).toBeDefined();
  const first = await untilInstance('early', ({ status }) => status?.phase === 'Scheduling');

  await fallSilent(home, other);
  await bed.until(virtualMachineKind, `${namespace}/early`, ({ status }) => status?.startFailure !== undefined);
  bed.clock.advance(RETRY_MS);
  const second = await untilInstance(
    'early',
    ({ metadata, status }) => status?.phase === 'Running' && metadata.uid !== first.metadata.uid,
  );

  expect(second.status?.nodeName).toBe(other);
  const { items } = await bed.client.resource(podKind).list({ namespace });
  expect(items.map(({ spec }) => spec.nodeName)).toEqual([other]);
  expect(bed.nodes.started).not.toContain(first.metadata.uid);
});

it('takes the word of the HA service on the Hypervisor of the node, and no other', async () => {
  const { home, other } = await twoNodes();
  const first = await start('rescued', home);
  await fallSilent(home, other);
  await untilInstance('rescued', isUnresponsive);
  const hypervisors = bed.client.resource(fencedHypervisorKind);
  await hypervisors.create({ metadata: { name: home } });

  await hypervisors.applyStatus(home, { conditions: [disabled('maintenance: emptied by hand')], numInstances: 0 });
  await bed.until(fencedHypervisorKind, home, ({ status }) => (status?.conditions ?? []).length === 1);
  // Another machine shows that the controllers have had time to act on it.
  await start('witness', other);
  const kept = await bed.client.resource(virtualMachineInstanceKind).get('rescued', { namespace });
  bed.nodes.cutPower(home);
  const words = `high availability: ${home} is disabled and declared dead by incident 7`;
  await hypervisors.applyStatus(home, { conditions: [disabled(words)], numInstances: 0 });
  const second = await untilInstance(
    'rescued',
    ({ metadata, status }) => status?.phase === 'Running' && metadata.uid !== first.metadata.uid,
  );

  expect(kept).toMatchObject({ metadata: { uid: first.metadata.uid }, status: { phase: 'Running' } });
  expect(second.status?.nodeName).toBe(other);
});

it('does not believe an old proof when the node was heard of since', async () => {
  const { home, other } = await twoNodes();
  const annotations = { 'smalt.dev/fenced-at': new Date(bed.clock.now()).toISOString() };
  await bed.client.resource(nodeKind).patch(home, 'merge', { metadata: { annotations } });
  bed.clock.advance(2_000);
  await Promise.all([bed.heartbeat(home), bed.heartbeat(other)]);
  const first = await start('doubted', home);

  await fallSilent(home, other);
  const unready = await untilInstance('doubted', isUnresponsive);

  expect(unready).toMatchObject({ metadata: { uid: first.metadata.uid }, status: { phase: 'Running' } });
});

function disabled(message: string): object {
  const lastTransitionTime = `${new Date(bed.clock.now()).toISOString().slice(0, 19)}Z`;
  return { type: 'HypervisorDisabled', status: 'True', reason: 'Succeeded', message, lastTransitionTime };
}

async function twoNodes(): Promise<{ readonly home: string; readonly other: string }> {
  const [home, other] = [`home-${count}`, `other-${count}`];
  await Promise.all([bed.node(home, { story: namespace }), bed.node(other, { story: namespace })]);
  return { home, other };
}

/** Starts a machine on one of the nodes of the story; it may go on to the other. */
async function start(name: string, nodeName: string): Promise<VirtualMachineInstance> {
  await create(name, nodeName);
  return await untilInstance(name, ({ status }) => status?.phase === 'Running' && status.nodeName === nodeName);
}

/** Makes a machine that goes to one of the nodes of the story, or else to the other. */
async function create(name: string, nodeName: string): Promise<void> {
  const preference = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] };
  const spec = {
    nodeSelector: { story: namespace },
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] } },
  };
  const machine: VirtualMachine = machineDraft(namespace, name, 'Always', spec);
  await bed.client.resource(virtualMachineKind).create(machine);
}

/** Time passes, in which nothing is heard of one node. */
async function fallSilent(home: string, other: string): Promise<void> {
  silent.add(home);
  bed.clock.advance(SILENCE_MS);
  await bed.heartbeat(other);
}

async function untilInstance(
  name: string,
  isWanted: (vmi: VirtualMachineInstance) => boolean,
): Promise<VirtualMachineInstance> {
  return await bed.until(virtualMachineInstanceKind, `${namespace}/${name}`, isWanted);
}

function isUnresponsive({ status }: VirtualMachineInstance): boolean {
  return status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'NodeUnresponsive') ?? false;
}
