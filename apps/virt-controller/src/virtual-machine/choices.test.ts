import {
  virtualMachineClusterInstancetypeKind,
  virtualMachineInstanceKind,
  virtualMachineInstancetypeKind,
  virtualMachineKind,
  virtualMachinePreferenceKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from '../fixtures/controller-bed.ts';
import { machineDraft } from '../fixtures/vm-objects.ts';
import { controllerRevisionKind } from '../kinds/controller-revision.ts';

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed();
  await bed.node('n1');
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(async () => {
  namespace = await bed.namespace();
});

it('makes the instance from the template, the instance type and the preference', async () => {
  await createType('small', 2);
  const spec = { cpu: { preferredCPUTopology: 'cores' }, devices: { preferredDiskBus: 'virtio' } };
  await bed.client.resource(virtualMachinePreferenceKind).create({ metadata: { name: 'linux', namespace }, spec });
  const preference = { name: 'linux', kind: 'VirtualMachinePreference' };

  await createMachine('vm', { instancetype: SMALL, preference });
  const instance = await running('vm');

  expect(instance.spec.domain).toMatchObject({
    cpu: { sockets: 1, cores: 2, threads: 1 },
    memory: { guest: '64Mi' },
    devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
  });
  expect(instance.metadata.annotations).toMatchObject({
    'kubevirt.io/instancetype-name': 'small',
    'kubevirt.io/preference-name': 'linux',
  });
});

it('keeps the type as it was when it was chosen, for this start and all later ones', async () => {
  await createType('small', 1);
  await createMachine('vm', { instancetype: SMALL });
  const first = await running('vm');
  const { status } = await bed.client.resource(virtualMachineKind).get('vm', { namespace });

  await changeType('small', 3);
  await bed.nodes.endGuest(`${namespace}/vm`, 'Succeeded');
  const second = await running('vm', first.metadata.uid);

  expect(second.spec.domain.cpu?.sockets).toBe(1);
  const revision = status?.instancetypeRef?.controllerRevisionRef?.name ?? '';
  const kept = await bed.client.resource(controllerRevisionKind).get(revision, { namespace });
  expect(kept).toMatchObject({
    metadata: { labels: { 'instancetype.kubevirt.io/object-name': 'small' }, ownerReferences: [{ name: 'vm' }] },
    data: { kind: 'VirtualMachineInstancetype', spec: { cpu: { guest: 1 } } },
  });
});

it('asks for a restart when a smaller type is chosen, and takes it up then', async () => {
  await createType('small', 1);
  await createType('large', 4);
  await createMachine('vm', { instancetype: { ...SMALL, name: 'large' } });
  const first = await running('vm');

  await patchMachine('vm', { instancetype: SMALL });
  const asked = await until('vm', needsRestart);
  await bed.nodes.endGuest(`${namespace}/vm`, 'Succeeded');
  const second = await running('vm', first.metadata.uid);

  expect(asked.status?.instancetypeRef).toMatchObject({ name: 'small' });
  expect(first.spec.domain.cpu?.sockets).toBe(4);
  expect(second.spec.domain.cpu?.sockets).toBe(1);
});

it('waits for a type that is not there, says which, and starts when it comes', async () => {
  const name = `late-${namespace}`;
  await createMachine('vm', { instancetype: { name } });
  const waiting = await until('vm', hasFailure);

  const spec = { cpu: { guest: 1 }, memory: { guest: '64Mi' } };
  await bed.client.resource(virtualMachineClusterInstancetypeKind).create({ metadata: { name }, spec });
  const instance = await running('vm');
  const settled = await until('vm', (vm) => !hasFailure(vm));

  expect(waiting.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failure',
      reason: 'FailedFindInstancetype',
      message: `spec.instancetype: there is no VirtualMachineClusterInstancetype ${name}: create it, or name another`,
    }),
  );
  expect(instance.metadata.annotations?.['kubevirt.io/cluster-instancetype-name']).toBe(name);
  expect(settled.status?.instancetypeRef?.controllerRevisionRef?.name).toContain(`vm-${name}-v1beta1-`);
});

it('starts nothing from a type that stands against the template', async () => {
  await createMachine('vm', { instancetype: SMALL }, { memory: { guest: '64Mi' } });
  await createType('small', 1);

  const refused = await until('vm', ({ status }) => JSON.stringify(status?.conditions ?? []).includes('conflicts'));

  expect(refused.status).toMatchObject({ created: false });
  expect(refused.status?.instancetypeRef).toBeUndefined();
  expect(refused.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failure',
      message: expect.stringContaining('spec.template.spec.domain.memory.guest conflicts'),
    }),
  );
});

it('starts from the revision that a machine names, and forgets its choice with it', async () => {
  await createType('small', 2);
  await createMachine('first', { instancetype: SMALL });
  await running('first');
  const { status } = await bed.client.resource(virtualMachineKind).get('first', { namespace });
  const revisionName = status?.instancetypeRef?.controllerRevisionRef?.name ?? '';
  await changeType('small', 1);

  await createMachine('second', { instancetype: { ...SMALL, revisionName } });
  const instance = await running('second');
  const patch = { instancetype: null, template: { spec: { domain: { memory: { guest: '64Mi' } } } } };
  await patchMachine('second', patch);
  const cleared = await until('second', (vm) => vm.status?.instancetypeRef === undefined);

  expect(instance.spec.domain.cpu?.sockets).toBe(2);
  expect(cleared.spec.instancetype).toBeUndefined();
});

it('tells of a revision that is not there', async () => {
  await createMachine('vm', { instancetype: { ...SMALL, revisionName: 'gone' } });

  const refused = await until('vm', hasFailure);

  expect(JSON.stringify(refused.status?.conditions)).toContain('ControllerRevision gone is not there');
});

const SMALL = { name: 'small', kind: 'VirtualMachineInstancetype' };

async function createType(name: string, guest: number): Promise<void> {
  const spec = { cpu: { guest }, memory: { guest: '64Mi' } };
  await bed.client.resource(virtualMachineInstancetypeKind).create({ metadata: { name, namespace }, spec });
}

async function changeType(name: string, guest: number): Promise<void> {
  const types = bed.client.resource(virtualMachineInstancetypeKind);
  await types.patch(name, 'merge', { spec: { cpu: { guest } } }, { namespace });
}

async function createMachine(
  name: string,
  chosen: Pick<VirtualMachine['spec'], 'instancetype' | 'preference'>,
  domain: object = {},
): Promise<void> {
  const volumes = [{ name: 'root', emptyDisk: { capacity: '1Mi' } }];
  const draft = machineDraft(namespace, name, 'Always', {
    domain: { devices: { autoattachPodInterface: false }, ...domain },
    volumes,
  });
  await bed.client.resource(virtualMachineKind).create({ ...draft, spec: { ...draft.spec, ...chosen } });
}

async function patchMachine(name: string, spec: object): Promise<void> {
  await bed.client.resource(virtualMachineKind).patch(name, 'merge', { spec }, { namespace });
}

async function running(name: string, notUid?: string): Promise<VirtualMachineInstance> {
  return await bed.until(
    virtualMachineInstanceKind,
    `${namespace}/${name}`,
    ({ metadata, status }) => status?.phase === 'Running' && metadata.uid !== notUid,
  );
}

async function until(name: string, isWanted: (vm: VirtualMachine) => boolean): Promise<VirtualMachine> {
  return await bed.until(virtualMachineKind, `${namespace}/${name}`, isWanted);
}

function hasFailure({ status }: VirtualMachine): boolean {
  return status?.conditions?.some(({ type }) => type === 'Failure') ?? false;
}

function needsRestart({ status }: VirtualMachine): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'RestartRequired' && value === 'True') ?? false;
}
