import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { instanceDraft, machineDraft } from '../fixtures/vm-objects.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { controllerRevisionKind } from '../kinds/controller-revision.ts';
import { volumeClaimKind } from '../kinds/volume-claim.ts';
import { actOnMachine } from './act-on-machine.ts';

let bed: ControllerBed;
let namespace: string;
const broken = new Set<string>();

beforeAll(async () => {
  bed = await startControllerBed({ behaviour: { starts: ({ metadata }) => !broken.has(metadata.name) } });
  await bed.node('n1');
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('runs a machine that is to run always, and starts it again however it ends', async () => {
  await create('always', 'Always');
  const first = await running('always');

  await bed.nodes.endGuest(key('always'), 'Succeeded');
  const second = await running('always', first.metadata.uid);
  await bed.nodes.endGuest(key('always'), 'Failed');
  const third = await running('always', second.metadata.uid);

  expect(new Set([first, second, third].map(({ metadata }) => metadata.uid)).size).toBe(3);
  const vm = await until('always', ({ status }) => status?.printableStatus === 'Running' && status.ready === true);
  expect(vm.status).toMatchObject({ created: true, ready: true, runStrategy: 'Always' });
  expect(vm.status?.startFailure).toBeUndefined();
});

it('starts a machine again that is rerun on failure, and leaves it stopped when it has succeeded', async () => {
  await create('rerun', 'RerunOnFailure');
  const first = await running('rerun');

  await bed.nodes.endGuest(key('rerun'), 'Failed');
  await running('rerun', first.metadata.uid);
  await bed.nodes.endGuest(key('rerun'), 'Succeeded');
  const stopped = await until(
    'rerun',
    ({ status }) => status?.printableStatus === 'Stopped' && status.created !== true,
  );

  expect(stopped.status?.stateChangeRequests ?? []).toEqual([]);
});

it('runs a machine once', async () => {
  await create('once', 'Once');
  const first = await running('once');

  await bed.nodes.endGuest(key('once'), 'Failed');
  await until('once', ({ status }) => status?.printableStatus === 'Stopped');

  const instance = await bed.client.resource(virtualMachineInstanceKind).get('once', { namespace });
  expect(instance).toMatchObject({ metadata: { uid: first.metadata.uid }, status: { phase: 'Failed' } });
});

it('starts, stops and restarts a manual machine by orders alone', async () => {
  await create('manual', 'Manual');
  await until('manual', ({ status }) => status?.printableStatus === 'Stopped');

  await order('manual', [{ action: 'Start' }]);
  const first = await running('manual');
  await order('manual', [{ action: 'Stop', uid: first.metadata.uid }, { action: 'Start' }]);
  const second = await running('manual', first.metadata.uid);
  await order('manual', [{ action: 'Stop', uid: second.metadata.uid }]);
  const stopped = await until('manual', ({ status }) => status?.created === false);

  expect(second.metadata.uid).not.toBe(first.metadata.uid);
  expect(stopped.status?.stateChangeRequests ?? []).toEqual([]);
});

it('stops a machine that is halted, and makes one run that is told to start', async () => {
  await create('halted', 'Always');
  const first = await running('halted');

  await patchSpec('halted', { runStrategy: 'Halted' });
  await until('halted', ({ status }) => status?.printableStatus === 'Stopped');
  await order('halted', [{ action: 'Start' }]);
  const second = await running('halted', first.metadata.uid);

  const vm = await bed.client.resource(virtualMachineKind).get('halted', { namespace });
  expect(vm.spec.runStrategy).toBe('Always');
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
});

it('waits longer after each start that fails, and forgets that when one succeeds', async () => {
  broken.add('crashing');
  await create('crashing', 'Always');
  const once = await until('crashing', ({ status }) => failures(status) === 1 && status?.created === false);
  const isWaiting = once.status?.printableStatus;

  bed.clock.advance(10_000);
  const twice = await until('crashing', ({ status }) => failures(status) === 2 && status?.created === false);
  broken.delete('crashing');
  bed.clock.advance(10_000);
  const startedEarly = bed.nodes.domainsOf(key('crashing'));
  bed.clock.advance(30_000);
  await running('crashing');
  const cleared = await until('crashing', ({ status }) => status?.startFailure === undefined);

  expect(isWaiting).toBe('CrashLoopBackOff');
  expect(twice.status?.startFailure?.lastFailedVMIUID).not.toBe(once.status?.startFailure?.lastFailedVMIUID);
  expect(startedEarly).toEqual([]);
  expect(cleared.status?.printableStatus).toBe('Running');
});

it('says that a restart is needed for what cannot be changed while the guest runs, until it is taken back', async () => {
  await create('changed', 'Always');
  await running('changed');

  await patchSpec('changed', { template: { spec: { domain: { chassis: { serial: 'new' } } } } });
  const asked = await until('changed', needsRestart);
  await patchSpec('changed', { template: { spec: { domain: { chassis: null } } } });
  const calm = await until('changed', (vm) => !needsRestart(vm));

  expect(asked.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'RestartRequired',
      message: 'a non-live-updatable field was changed in the template spec',
    }),
  );
  expect(calm.status?.printableStatus).toBe('Running');
});

it('carries a change into the running guest that can be, and remembers which generation it is in line with', async () => {
  await create('live', 'Always');
  await running('live');

  await patchSpec('live', { template: { spec: { nodeSelector: { 'kubernetes.io/hostname': 'n1' } } } });
  const instance = await bed.until(
    virtualMachineInstanceKind,
    key('live'),
    ({ spec }) => spec.nodeSelector !== undefined,
  );

  const vm = await until('live', ({ status, metadata }) => status?.observedGeneration === metadata.generation);
  expect(instance.spec.nodeSelector).toEqual({ 'kubernetes.io/hostname': 'n1' });
  expect(instance.status?.virtualMachineRevisionName).toBe(
    `revision-start-vm-${vm.metadata.uid}-${vm.metadata.generation}`,
  );
  expect(needsRestart(vm)).toBe(false);
  const revisions = async (): Promise<readonly string[]> =>
    (await bed.client.resource(controllerRevisionKind).list({ namespace })).items.map(({ metadata }) => metadata.name);
  await expect.poll(revisions).toEqual([instance.status?.virtualMachineRevisionName]);
});

it('does not touch an instance of the same name that is not its own, and says so', async () => {
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'taken'));
  await running('taken');
  await create('taken', 'Always');

  const vm = await until('taken', ({ status }) => status?.conditions?.some(({ type }) => type === 'Failure') ?? false);
  await bed.client.resource(virtualMachineKind).delete('taken', { namespace });
  await bed.untilGone(virtualMachineKind, key('taken'));

  expect(vm.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failure',
      reason: 'FailedCreate',
      message: expect.stringContaining('somebody else'),
    }),
  );
  expect(bed.nodes.domainsOf(key('taken'))).toEqual(['n1']);
});

it('takes the instance, the pod and the revision along when a machine is deleted', async () => {
  await create('gone', 'Always');
  await running('gone');

  await bed.client.resource(virtualMachineKind).delete('gone', { namespace });
  await bed.untilGone(virtualMachineKind, key('gone'));

  const instances = await bed.client.resource(virtualMachineInstanceKind).list({ namespace });
  expect(instances.items).toEqual([]);
  expect(bed.nodes.domainsOf(key('gone'))).toEqual([]);
});

it('leaves an instance alone that was let go of when its machine was deleted, though the cache still shows it as its own', async () => {
  await create('orphaned', 'Always');
  const vmi = await running('orphaned');
  const instances = bed.client.resource(virtualMachineInstanceKind);
  const vm = await bed.client.resource(virtualMachineKind).get('orphaned', { namespace });
  const going = { ...vm, metadata: { ...vm.metadata, deletionTimestamp: new Date(0).toISOString() } };
  await instances.patch('orphaned', 'merge', { metadata: { ownerReferences: null } }, { namespace });
  const acting = { client: bed.client, recorder: { record: () => undefined }, ignore: () => undefined };
  const { uid } = vmi.metadata;
  const stop = { kind: 'delete-instance', name: 'orphaned', uid } as const;

  await actOnMachine(Object(acting), { vm: going, vmi }, stop, AbortSignal.timeout(10_000));

  const { metadata } = await instances.get('orphaned', { namespace });
  expect([metadata.uid, metadata.deletionTimestamp]).toEqual([uid, undefined]);
});

it('leaves an instance alone that is let go of between the look at it and its deletion', async () => {
  await create('just-orphaned', 'Always');
  const vmi = await running('just-orphaned');
  const instances = bed.client.resource(virtualMachineInstanceKind);
  const vm = await bed.client.resource(virtualMachineKind).get('just-orphaned', { namespace });
  const going = { ...vm, metadata: { ...vm.metadata, deletionTimestamp: new Date(0).toISOString() } };
  const get: typeof instances.get = async (name, options) => {
    const seen = await instances.get(name, options);
    await instances.patch(name, 'merge', { metadata: { ownerReferences: null } }, { namespace });
    return seen;
  };
  const remove: typeof instances.delete = (name, options) => instances.delete(name, options);
  const client = { resource: () => ({ get, delete: remove }) };
  const acting = { client, recorder: { record: () => undefined }, ignore: () => undefined };
  const { uid } = vmi.metadata;
  const stop = { kind: 'delete-instance', name: 'just-orphaned', uid } as const;

  const stopping = actOnMachine(Object(acting), { vm: going, vmi }, stop, AbortSignal.timeout(10_000));

  await expect(stopping).rejects.toSatisfy(isOvertaken);
  const { metadata } = await instances.get('just-orphaned', { namespace });
  expect([metadata.uid, metadata.deletionTimestamp]).toEqual([uid, undefined]);
});

it('says what is wrong with an instance for which there can be no pod', async () => {
  await create('odd', 'Always', { hypervisor: 'nonsense' });

  const vm = await until('odd', ({ status }) => unsynchronized(status) !== undefined);

  expect(unsynchronized(vm.status)).toMatchObject({
    reason: 'FailedCreate',
    message: expect.stringContaining('nonsense'),
  });
});

it('waits for a claim that is missing, and goes on when it is there', async () => {
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'later' } }];
  await create('claim', 'Always', { volumes });
  const waiting = await until('claim', ({ status }) => status?.printableStatus === 'ErrorPvcNotFound');

  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await bed.client.resource(volumeClaimKind).create({ metadata: { name: 'later', namespace }, spec });
  const instance = await running('claim');

  expect(unsynchronized(waiting.status)?.message).toContain('PVC later not found');
  expect(instance.status?.volumeStatus).toMatchObject([
    { name: 'disk', persistentVolumeClaimInfo: { claimName: 'later', volumeMode: 'Filesystem' } },
  ]);
});

function key(name: string): string {
  return `${namespace}/${name}`;
}

async function create(name: string, runStrategy: string, spec: Parameters<typeof machineDraft>[3] = {}): Promise<void> {
  await bed.client.resource(virtualMachineKind).create(machineDraft(namespace, name, runStrategy, spec));
}

async function until(name: string, isWanted: (vm: VirtualMachine) => boolean): Promise<VirtualMachine> {
  return await bed.until(virtualMachineKind, key(name), isWanted);
}

async function running(name: string, notUid?: string): Promise<VirtualMachineInstance> {
  return await bed.until(
    virtualMachineInstanceKind,
    key(name),
    ({ metadata, status }) => status?.phase === 'Running' && metadata.uid !== notUid,
  );
}

async function order(name: string, stateChangeRequests: readonly object[]): Promise<void> {
  const options = { namespace, subresource: 'status' };
  await bed.client.resource(virtualMachineKind).patch(name, 'merge', { status: { stateChangeRequests } }, options);
}

async function patchSpec(name: string, spec: object): Promise<void> {
  await bed.client.resource(virtualMachineKind).patch(name, 'merge', { spec }, { namespace });
}

function failures(status: VirtualMachine['status']): number {
  return status?.startFailure?.consecutiveFailCount ?? 0;
}

function needsRestart({ status }: VirtualMachine): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'RestartRequired' && value === 'True') ?? false;
}

function unsynchronized(status: VirtualMachine['status']) {
  return status?.conditions?.find(({ type, status: value }) => type === 'Synchronized' && value === 'False');
}
