import { AwaitedWrites, systemClock } from '@smalt/controller-runtime';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { migrationPolicyKind, virtualMachineInstanceKind, virtualMachineInstanceMigrationKind } from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { instanceDraft, migrationDraft } from '../fixtures/vm-objects.ts';
import { nodeKind } from '../kinds/cluster-node.ts';
import { podKind } from '../kinds/launcher-pod.ts';
import { namespaceKind } from '../kinds/migration-policy.ts';
import { actOnMigration } from './act-on-migration.ts';

let bed: ControllerBed;
let namespace: string;
const held = new Set<string>();

beforeAll(async () => {
  bed = await startControllerBed({ behaviour: { migrates: ({ metadata }) => !held.has(metadata.name) } });
  for (const name of ['n1', 'n2', 'n3']) await bed.node(name);
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('moves an instance to another node and back, and leaves one pod', async () => {
  const home = await start('traveller');
  const isLeft = (vmi: VirtualMachineInstance): boolean => vmi.status?.nodeName !== home;
  await migrate('there', 'traveller');
  const there = await untilMigration('there', isOver);
  const moved = await bed.until(virtualMachineInstanceKind, key('traveller'), isLeft);
  await untilPods(1);

  await migrate('back', 'traveller');
  const back = await untilMigration('back', isOver);
  await untilPods(1);

  expect(phasesOf(there)).toEqual([
    'Pending',
    'Scheduling',
    'Scheduled',
    'PreparingTarget',
    'TargetReady',
    'Running',
    'Succeeded',
  ]);
  expect(there.status?.migrationState).toMatchObject({ sourceNode: home, targetNode: moved.status?.nodeName });
  expect(back.status?.phase).toBe('Succeeded');
  const { status } = await bed.client.resource(virtualMachineInstanceKind).get('traveller', { namespace });
  expect(status?.nodeName).not.toBe(moved.status?.nodeName);
  expect(Object.values(status?.activePods ?? {})).toEqual([status?.nodeName]);
  expect(bed.nodes.twice).toEqual([]);
});

it('goes by the policy that names most of the labels of the instance and of its namespace', async () => {
  const policies = bed.client.resource(migrationPolicyKind);
  const namespaceSelector = { 'kubernetes.io/metadata.name': namespace };
  await bed.client.resource(namespaceKind).patch(namespace, 'merge', { metadata: { labels: namespaceSelector } });
  const wide = { selectors: { namespaceSelector }, bandwidthPerMigration: '1Mi' };
  const narrow = {
    selectors: { namespaceSelector, virtualMachineInstanceSelector: { tier: 'gold' } },
    bandwidthPerMigration: '64Mi',
    completionTimeoutPerGiB: 77,
  };
  await policies.create({ metadata: { name: `a-wide-${namespace}` }, spec: wide });
  await policies.create({ metadata: { name: `b-narrow-${namespace}` }, spec: narrow });
  const draft = instanceDraft(namespace, 'ruled');
  const labels = { tier: 'gold' };
  await bed.client.resource(virtualMachineInstanceKind).create({ ...draft, metadata: { ...draft.metadata, labels } });
  await bed.until(virtualMachineInstanceKind, key('ruled'), ({ status }) => status?.phase === 'Running');

  await migrate('ruled', 'ruled');
  await untilMigration('ruled', isOver);

  const { status } = await bed.client.resource(virtualMachineInstanceKind).get('ruled', { namespace });
  expect(status?.migrationState).toMatchObject({
    migrationPolicyName: `b-narrow-${namespace}`,
    migrationConfiguration: { bandwidthPerMigration: '64Mi', completionTimeoutPerGiB: 77, progressTimeout: 150 },
  });
});

it('gives up a migration that is deleted, and leaves the instance where it is', async () => {
  const home = await start('stays');
  held.add('stays');
  await migrate('doomed', 'stays');
  await untilMigration('doomed', ({ status }) => status?.phase === 'Running');

  await bed.client.resource(virtualMachineInstanceMigrationKind).delete('doomed', { namespace });
  await bed.untilGone(virtualMachineInstanceMigrationKind, key('doomed'));
  await untilPods(1);

  const { status } = await bed.client.resource(virtualMachineInstanceKind).get('stays', { namespace });
  expect(status).toMatchObject({
    phase: 'Running',
    nodeName: home,
    migrationState: { completed: true, failed: true, abortRequested: true },
  });
});

it('asks the source to give up what it still goes by of a migration that has failed', async () => {
  const sourceNode = await start('left');
  held.add('left');
  await migrate('rival', 'left');
  await untilMigration('rival', ({ status }) => status?.phase === 'Running');
  await migrate('missed', 'left');
  const { metadata } = await untilMigration('missed', ({ status }) => status?.phase === 'Failed');
  await bed.client.resource(virtualMachineInstanceMigrationKind).delete('rival', { namespace });
  await bed.untilGone(virtualMachineInstanceMigrationKind, key('rival'));

  const late = { migrationUid: metadata.uid, sourceNode, targetNode: 'n3', targetPod: 'gone' };
  const patch = [{ op: 'replace', path: '/status/migrationState', value: late }];
  await bed.client.resource(virtualMachineInstanceKind).patch('left', 'json', patch, { namespace });

  const given = await bed.until(
    virtualMachineInstanceKind,
    key('left'),
    ({ status }) => status?.migrationState?.completed === true,
  );
  expect(given.status).toMatchObject({ phase: 'Running', migrationState: { failed: true, abortRequested: true } });
});

it('asks, before it lets go of one that has failed, whether its instance goes by it all the same', async () => {
  const sourceNode = await start('unseen');
  held.add('unseen');
  const late = { migrationUid: 'm-unseen', sourceNode, targetNode: 'n3', targetPod: 'gone' };
  const patch = [{ op: 'add', path: '/status/migrationState', value: late }];
  await bed.client.resource(virtualMachineInstanceKind).patch('unseen', 'json', patch, { namespace });
  const draft = migrationDraft(namespace, 'cancelled', 'unseen');
  const migration = { ...draft, metadata: { ...draft.metadata, uid: 'm-unseen' }, status: { phase: 'Failed' } };
  const writes = new AwaitedWrites({ cache: { get: () => undefined } }, systemClock);
  const acting = { client: bed.client, ignore: () => undefined, written: writes, writtenInstances: writes };
  const letGo = { kind: 'remove-finalizer' } as const;

  await actOnMigration(Object(acting), Object({ migration }), letGo, AbortSignal.timeout(10_000));

  const { status } = await bed.until(
    virtualMachineInstanceKind,
    key('unseen'),
    (vmi) => vmi.status?.migrationState?.completed === true,
  );
  expect(status?.migrationState).toMatchObject({ migrationUid: 'm-unseen', failed: true, abortRequested: true });
});

it('cancels a migration that has no node to go to, with its pod', async () => {
  await start('wide');
  const spec = { vmiName: 'wide', addedNodeSelector: { 'example.dev/nowhere': 'true' } };
  await bed.client
    .resource(virtualMachineInstanceMigrationKind)
    .create({ ...migrationDraft(namespace, 'nowhere', 'wide'), spec });
  await untilMigration('nowhere', ({ status }) => status?.phase === 'Scheduling');

  await bed.client.resource(virtualMachineInstanceMigrationKind).delete('nowhere', { namespace });
  await bed.untilGone(virtualMachineInstanceMigrationKind, key('nowhere'));

  await untilPods(1);
  const { status } = await bed.client.resource(virtualMachineInstanceKind).get('wide', { namespace });
  expect(status?.migrationState).toBeUndefined();
});

it.each([
  ['as it is', 0],
  ['set back by an hour meanwhile', -3_600_000],
])('gives up a migration whose target finds no node in time, with the clock %s', async (_how, offMs) => {
  using _wall = { [Symbol.dispose]: () => bed.clock.setWall(0) };
  await start('patient');
  const spec = { vmiName: 'patient', addedNodeSelector: { 'example.dev/nowhere': 'true' } };
  await bed.client
    .resource(virtualMachineInstanceMigrationKind)
    .create({ ...migrationDraft(namespace, 'late', 'patient'), spec });
  await bed.until(podKind, await targetKey('late'), ({ status }) =>
    (status?.conditions ?? []).some(({ type, status: value }) => type === 'PodScheduled' && value === 'False'),
  );
  await untilMigration('late', ({ status }) => status?.phase === 'Scheduling');

  bed.clock.setWall(offMs);
  bed.clock.advance(301_000);
  const failed = await untilMigration('late', isOver);

  expect(failed.status).toMatchObject({
    phase: 'Failed',
    migrationState: {
      failureReason: expect.stringContaining('found no node within 5 minutes: 0/3 nodes are available'),
    },
  });
  await Promise.all(['n1', 'n2', 'n3'].map((name) => bed.heartbeat(name)));
});

it('lets no more go on at a time than are allowed, and refuses a second one of the same instance', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  await Promise.all(names.map((name) => start(name)));
  for (const name of names) held.add(name);
  await Promise.all(names.map((name) => migrate(`move-${name}`, name)));
  const phases = async (): Promise<readonly string[]> => {
    const { items } = await bed.client.resource(virtualMachineInstanceMigrationKind).list({ namespace });
    return items.map(({ status }) => status?.phase ?? '');
  };
  await expect.poll(async () => (await phases()).filter((phase) => phase === 'Running').length).toBe(5);
  await migrate('second', 'a');

  const refused = await untilMigration('second', isOver);
  const waiting = (await phases()).filter((phase) => phase === 'Pending').length;
  for (const name of names) held.delete(name);
  bed.nodes.look();
  await Promise.all(names.map((name) => untilMigration(`move-${name}`, isOver)));

  expect(refused.status?.migrationState?.failureReason).toContain('another migration job is in progress');
  expect(waiting).toBe(2);
  expect((await phases()).filter((phase) => phase === 'Succeeded')).toHaveLength(7);
});

it('lets the pod go of a migration that was removed by force', async () => {
  await start('forced');
  const draft = migrationDraft(namespace, 'vanishing', 'forced');
  const spec = { vmiName: 'forced', addedNodeSelector: { 'example.dev/nowhere': 'true' } };
  await bed.client.resource(virtualMachineInstanceMigrationKind).create({ ...draft, spec });
  await untilMigration('vanishing', ({ status }) => status?.phase === 'Scheduling');
  await bed.crash();
  const migrations = bed.client.resource(virtualMachineInstanceMigrationKind);
  await migrations.patch('vanishing', 'merge', { metadata: { finalizers: null } }, { namespace });
  await migrations.delete('vanishing', { namespace });

  await bed.restart();
  await untilPods(1);

  expect(bed.nodes.domainsOf(key('forced'))).toHaveLength(1);
});

it('empties a node for those that were told to leave it', async () => {
  const home = await start('leaver');
  const patch = [{ op: 'add', path: '/status/evacuationNodeName', value: home }];
  await bed.client.resource(virtualMachineInstanceKind).patch('leaver', 'json', patch, { namespace });

  const left = await bed.until(
    virtualMachineInstanceKind,
    key('leaver'),
    ({ status }) => status?.nodeName !== home && status?.evacuationNodeName === undefined,
  );

  const all = await listed();
  expect(left.status?.phase).toBe('Running');
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({
    metadata: { annotations: { 'kubevirt.io/evacuationMigration': home } },
    spec: { vmiName: 'leaver', priority: 'system-critical' },
  });
});

it('empties a node that has the taint of a drain', async () => {
  await bed.node('n9', { only: 'drained' });
  await bed.client
    .resource(virtualMachineInstanceKind)
    .create(instanceDraft(namespace, 'drained', { affinity: preferring('only', 'drained') }));
  await bed.until(
    virtualMachineInstanceKind,
    key('drained'),
    ({ status }) => status?.phase === 'Running' && status.nodeName === 'n9',
  );

  const taints = [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }];
  await bed.client.resource(nodeKind).patch('n9', 'merge', { spec: { taints } });

  const left = await bed.until(virtualMachineInstanceKind, key('drained'), ({ status }) => status?.nodeName !== 'n9');

  expect(left.status?.phase).toBe('Running');
});

function preferring(label: string, value: string): NonNullable<VirtualMachineInstance['spec']['affinity']> {
  const preference = { matchExpressions: [{ key: label, operator: 'In', values: [value] }] };
  return { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] } };
}

function key(name: string): string {
  return `${namespace}/${name}`;
}

/** Returns the node that it runs on. */
async function start(name: string): Promise<string> {
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, name));
  const vmi = await bed.until(virtualMachineInstanceKind, key(name), ({ status }) => status?.phase === 'Running');
  return vmi.status?.nodeName ?? '';
}

async function migrate(name: string, vmiName: string): Promise<void> {
  await bed.client.resource(virtualMachineInstanceMigrationKind).create(migrationDraft(namespace, name, vmiName));
}

async function listed(): Promise<readonly VirtualMachineInstanceMigration[]> {
  return (await bed.client.resource(virtualMachineInstanceMigrationKind).list({ namespace })).items;
}

async function untilMigration(
  name: string,
  isWanted: (migration: VirtualMachineInstanceMigration) => boolean,
): Promise<VirtualMachineInstanceMigration> {
  return await bed.until(virtualMachineInstanceMigrationKind, key(name), isWanted);
}

async function targetKey(migration: string): Promise<string> {
  const { metadata } = await bed.client.resource(virtualMachineInstanceMigrationKind).get(migration, { namespace });
  return `${namespace}/virt-launcher-patient-${(metadata.uid ?? '').replaceAll('-', '').slice(0, 8)}`;
}

async function untilPods(count: number): Promise<void> {
  await expect
    .poll(async () => (await bed.client.resource(podKind).list({ namespace })).items.length, { timeout: 10_000 })
    .toBe(count);
}

function isOver({ status }: VirtualMachineInstanceMigration): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function phasesOf({ status }: VirtualMachineInstanceMigration): readonly string[] {
  return (status?.phaseTransitionTimestamps ?? []).map(({ phase }) => phase ?? '');
}
