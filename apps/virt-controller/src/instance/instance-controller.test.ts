import { awaitWrite, Informer } from '@smalt/controller-runtime';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { instanceDraft } from '../fixtures/vm-objects.ts';
import { IndexName } from '../frame/index-names.ts';
import { podKind } from '../kinds/launcher-pod.ts';
import { createInstanceController } from './instance-controller.ts';

let bed: ControllerBed;

beforeAll(async () => {
  bed = await startControllerBed();
  await bed.node('n1');
});

afterAll(() => bed[Symbol.asyncDispose]());

it('brings an instance to its node by six writes, and lets it go when it is deleted', async () => {
  const namespace = await bed.namespace();
  await create(instanceDraft(namespace, 'small'));

  const running = await bed.until(virtualMachineInstanceKind, `${namespace}/small`, isReady);
  const writes = {
    pods: await bed.writes(namespace, 'pods'),
    instances: await bed.writes(namespace, 'virtualmachineinstances'),
  };
  await bed.client.resource(virtualMachineInstanceKind).delete('small', { namespace });
  await bed.untilGone(virtualMachineInstanceKind, `${namespace}/small`);

  expect(running.metadata.labels).toMatchObject({ 'kubevirt.io/nodeName': 'n1' });
  expect(running.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
  expect(Object.values(running.status?.activePods ?? {})).toEqual(['n1']);
  expect(writes).toEqual({
    pods: ['virt-controller: create', 'smalt-scheduler: create binding', 'played-nodes: patch status'],
    instances: ['controller-bed: create', 'virt-controller: update', 'virt-controller: update', 'played-nodes: patch'],
  });
  expect(bed.nodes.domainsOf(`${namespace}/small`)).toEqual([]);
});

it('lets an instance go that has found no node yet, or has no pod', async () => {
  const namespace = await bed.namespace();
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'missing' } }];
  await create(instanceDraft(namespace, 'nowhere', { nodeSelector: { zone: 'none' } }));
  await create(instanceDraft(namespace, 'waiting', { volumes }));
  const refused = await bed.until(virtualMachineInstanceKind, `${namespace}/nowhere`, isUnscheduled);
  const waiting = await bed.until(virtualMachineInstanceKind, `${namespace}/waiting`, isUnscheduled);

  const instances = bed.client.resource(virtualMachineInstanceKind);
  await Promise.all(['nowhere', 'waiting'].map((name) => instances.delete(name, { namespace })));
  await bed.untilGone(virtualMachineInstanceKind, `${namespace}/nowhere`);
  await bed.untilGone(virtualMachineInstanceKind, `${namespace}/waiting`);

  expect([refused.status?.phase, waiting.status?.phase]).toEqual(['Scheduling', 'Pending']);
  const { items } = await bed.client.resource(podKind).list({ namespace });
  expect(items).toEqual([]);
});

it('waits for its cache where that lacks the pod of an instance that the API has', async () => {
  const namespace = await bed.namespace();
  await create(instanceDraft(namespace, 'known', { nodeSelector: { zone: 'none' } }));
  const before = await bed.until(virtualMachineInstanceKind, `${namespace}/known`, isUnscheduled);
  const { context } = bed.controller;
  const seen = (): string | undefined => context.instances.cache.get(`${namespace}/known`)?.metadata.resourceVersion;
  await expect.poll(seen).toBe(before.metadata.resourceVersion);
  // A leader that has just begun, whose watch of pods is behind that of instances.
  const pods = new Informer(bed.client.resource(podKind), { onFailure: () => undefined });
  for (const index of [IndexName.instance, IndexName.attachment]) pods.addIndex(index, () => []);
  const { reconcile } = createInstanceController({ ...context, pods });

  const outcome = await reconcile(`${namespace}/known`, AbortSignal.timeout(10_000));

  expect(outcome).toEqual(awaitWrite);
  const after = await bed.client.resource(virtualMachineInstanceKind).get('known', { namespace });
  expect(after.status?.phase).toBe('Scheduling');
});

it('gives up an instance on its way whose pod is gone', async () => {
  const namespace = await bed.namespace();
  await create(instanceDraft(namespace, 'bereft', { nodeSelector: { zone: 'none' } }));
  await bed.until(virtualMachineInstanceKind, `${namespace}/bereft`, isUnscheduled);
  const pods = bed.client.resource(podKind);
  const { items } = await pods.list({ namespace });

  await Promise.all(items.map(({ metadata }) => pods.delete(metadata.name, { namespace, gracePeriodSeconds: 0 })));

  const { status } = await bed.until(virtualMachineInstanceKind, `${namespace}/bereft`, isUnlike('Scheduling'));
  expect(status?.phase).toBe('Failed');
});

it('makes pods that are not deleted because their node is out of touch, whatever the API adds to them', async () => {
  const namespace = await bed.namespace();
  const tolerations = [
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
  ];
  await create(instanceDraft(namespace, 'steady'));
  await create(instanceDraft(namespace, 'moving', { tolerations }));
  await bed.until(virtualMachineInstanceKind, `${namespace}/steady`, isReady);
  await bed.until(virtualMachineInstanceKind, `${namespace}/moving`, isReady);

  const { items } = await bed.client.resource(podKind).list({ namespace });

  const told = items.map(({ metadata, spec }) => [
    metadata.annotations?.['kubevirt.io/domain'],
    ...(spec.tolerations ?? []).map(({ key, tolerationSeconds }) => `${key}: ${tolerationSeconds ?? 'for ever'}`),
  ]);
  expect(told).toEqual([
    ['moving', 'node.kubernetes.io/unreachable: 60', 'node.kubernetes.io/not-ready: for ever'],
    ['steady', 'node.kubernetes.io/not-ready: for ever', 'node.kubernetes.io/unreachable: for ever'],
  ]);
});

it('leaves the end of an instance to its handler when its pod is deleted under it', async () => {
  const namespace = await bed.namespace();
  await create(instanceDraft(namespace, 'robbed'));
  const { metadata } = await bed.until(virtualMachineInstanceKind, `${namespace}/robbed`, isReady);
  const [pod] = (await bed.client.resource(podKind).list({ namespace })).items;

  await bed.client.resource(podKind).delete(pod?.metadata.name ?? '', { namespace });
  const ended = await bed.until(
    virtualMachineInstanceKind,
    `${namespace}/robbed`,
    ({ status }) => status?.phase === 'Failed',
  );

  expect(ended.metadata.uid).toBe(metadata.uid);
  expect(await bed.writes(namespace, 'pods')).not.toContain('virt-controller: delete');
});

function isUnscheduled({ status }: VirtualMachineInstance): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'PodScheduled' && value === 'False') ?? false;
}

async function create(instance: VirtualMachineInstance): Promise<void> {
  await bed.client.resource(virtualMachineInstanceKind).create(instance);
}

function isReady({ status }: VirtualMachineInstance): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

function isUnlike(phase: string): (vmi: VirtualMachineInstance) => boolean {
  return ({ status }) => status?.phase !== phase;
}
