import { isKubeError, type KubeError } from '@smalt/kube';
import {
  migrationPolicyKind,
  virtualMachineInstancetypeKind,
  virtualMachineKind,
  virtualMachinePreferenceKind,
  type VirtualMachine,
  type VirtualMachineInstancetypeSpec,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ClusterObjects } from '../cluster/cluster-objects.ts';
import { ask, type Answered } from '../fixtures/ask.ts';
import { machineDraft } from '../fixtures/machines.ts';
import { startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';
import { findChosen } from './chosen-specs.ts';

const SMALL = { name: 'small', kind: 'VirtualMachineInstancetype' };
const LINUX = { name: 'linux', kind: 'VirtualMachinePreference' };
const EMPTY = { spec: { domain: { devices: {} } } };
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
  await createType('small', { cpu: { guest: 2 }, memory: { guest: '128Mi' } });
  await bed.admin.resource(virtualMachinePreferenceKind).create({
    metadata: { name: 'linux', namespace: 'default' },
    spec: {
      devices: { preferredDiskBus: 'virtio' },
      machine: { preferredMachineType: 'pc-q35-9.2' },
      requirements: { cpu: { guest: 2 } },
    },
  });
  const labels = { 'instancetype.kubevirt.io/default-instancetype': 'small' };
  await claim('labelled', { ...labels, 'instancetype.kubevirt.io/default-instancetype-kind': SMALL.kind });
  await claim('bare', {});
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

describe('a machine with an instance type and a preference', () => {
  it('is stored as it was sent, but for what has to stay the same for all of its instances', async () => {
    const created = await create('stored', { instancetype: SMALL, preference: LINUX, template: EMPTY });

    expect(created.spec).toMatchObject({ instancetype: SMALL, preference: LINUX });
    expect(created.spec.template.spec?.domain.machine?.type).toBe('pc-q35-9.2');
    expect(created.spec.template.spec?.domain.cpu).toBeUndefined();
    expect(created.spec.template.spec?.domain.memory).toBeUndefined();
  });

  it('is refused for every field that the type says too', async () => {
    const template = { spec: { domain: { cpu: { cores: 1 }, memory: { guest: '64Mi' }, devices: {} } } };

    const refused = await failureOf(create('both', { instancetype: SMALL, template }));

    expect(fieldsOf(refused)).toEqual([
      'spec.template.spec.domain.cpu.cores',
      'spec.template.spec.domain.memory.guest',
    ]);
  });

  it('is judged by what the two make of it', async () => {
    await createType('odd', { cpu: { guest: 1 }, memory: { guest: '3Mi', hugepages: { pageSize: '2Mi' } } });

    const refused = await failureOf(create('odd', { instancetype: { ...SMALL, name: 'odd' }, template: EMPTY }));

    expect(refused.message).toContain('hugepages');
  });

  it('is refused when it is less than the preference requires', async () => {
    await createType('tiny', { cpu: { guest: 1 }, memory: { guest: '64Mi' } });
    const instancetype = { ...SMALL, name: 'tiny' };

    const refused = await failureOf(create('less', { instancetype, preference: LINUX, template: EMPTY }));

    expect(fieldsOf(refused)).toEqual(['spec.instancetype']);
    expect(refused.message).toContain('preference requires 2 vCPU');
  });

  it('is taken when the two are not there yet, with a warning that says what is missing', async () => {
    const created = await create('early', { instancetype: { name: 'later' }, template: EMPTY });

    const { chosen, missing } = await findChosen(new ClusterObjects(bed.admin), created, AbortSignal.timeout(10_000));

    expect(chosen).toEqual({});
    expect(missing).toEqual([
      'spec.instancetype: there is no VirtualMachineClusterInstancetype later yet: the machine does not start before it is there.',
    ]);
  });

  it('is refused when it names nothing, or a name with the revision of another', async () => {
    await create('renamed', { instancetype: { ...SMALL, revisionName: 'kept' }, template: EMPTY });

    const nameless = await failureOf(create('nameless', { preference: {}, template: EMPTY }));
    const machines = bed.admin.resource(virtualMachineKind);
    const patch = { spec: { instancetype: { name: 'tiny' } } };
    const renamed = await failureOf(machines.patch('renamed', 'merge', patch, { namespace: 'default' }));

    expect(fieldsOf(nameless)).toEqual(['spec.preference']);
    expect(fieldsOf(renamed)).toEqual(['spec.instancetype.revisionName']);
  });
});

describe('a machine that chooses by a volume', () => {
  it('gets what the labels of its claim say', async () => {
    const created = await create('labelled', { instancetype: { inferFromVolume: 'root' }, template: on('labelled') });

    expect(created.spec.instancetype).toEqual(SMALL);
  });

  it.each([
    { claimName: 'bare', words: 'default-instancetype label' },
    { claimName: 'nowhere', words: '"nowhere" not found' },
  ])('is refused where the claim is $claimName', async ({ claimName, words }) => {
    const spec = { instancetype: { inferFromVolume: 'root' }, template: on(claimName) };

    const refused = await failureOf(create(`on-${claimName}`, spec));

    expect(fieldsOf(refused)).toEqual(['spec.instancetype.inferFromVolume']);
    expect(refused.message).toContain(words);
  });

  it('chooses nothing where the claim says nothing and that is to be ignored', async () => {
    const instancetype = { inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Ignore' };

    const created = await create('forgiving', { instancetype, template: on('bare') });

    expect(created.spec.instancetype).toBeUndefined();
  });
});

describe('expanding', () => {
  it('shows what a stored machine is with both in its template, and without a word of them', async () => {
    const volumes = [{ name: 'root', emptyDisk: { capacity: '1Gi' } }];
    const template = { spec: { ...EMPTY.spec, volumes } };
    await create('expanded', { instancetype: SMALL, preference: LINUX, template });

    const { code, object } = await subresource('GET', 'virtualmachines/expanded/expand-spec');

    expect(code).toBe(200);
    expect(object).toMatchObject({
      spec: {
        template: {
          spec: {
            domain: {
              cpu: { sockets: 2 },
              memory: { guest: '128Mi' },
              devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
            },
          },
        },
      },
    });
    expect(Object(object['spec'])).not.toHaveProperty('instancetype');
    expect(Object(object['spec'])).not.toHaveProperty('preference');
  });

  it.each([
    { what: 'a conflict', spec: { instancetype: SMALL }, template: machineDraft('a').spec.template, code: 422 },
    { what: 'a type that is not there', spec: { instancetype: { name: 'nobody' } }, template: EMPTY, code: 400 },
    { what: 'another namespace', spec: {}, template: EMPTY, namespace: 'other', code: 400 },
  ])('refuses $what of a machine that is sent', async ({ spec, template, namespace = 'default', code }) => {
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'sent', namespace },
      spec: { runStrategy: 'Halted', template, ...spec },
    };

    const answer = await subresource('PUT', 'expand-vm-spec', JSON.stringify(object));

    expect(answer.code).toBe(code);
  });
});

describe('what is chosen', () => {
  it('is refused with the field when it cannot be', async () => {
    const memory = { guest: '1Gi', overcommitPercent: 10, hugepages: { pageSize: '2Mi' } };
    const spec = { cpu: { preferredCPUTopology: 'heaps' } };
    const policy = { selectors: {}, bandwidthPerMigration: '-1' };

    const type = await failureOf(createType('bad', { cpu: { guest: 1 }, memory }));
    const preference = await failureOf(
      bed.admin
        .resource(virtualMachinePreferenceKind)
        .create({ metadata: { name: 'bad', namespace: 'default' }, spec }),
    );
    const migration = await failureOf(
      bed.admin.resource(migrationPolicyKind).create({ metadata: { name: 'bad' }, spec: policy }),
    );

    expect([type, preference, migration].map(fieldsOf)).toEqual([
      ['spec.memory.overcommitPercent'],
      ['spec.cpu.preferredCPUTopology'],
      ['spec.bandwidthPerMigration'],
    ]);
  });
});

async function create(name: string, spec: Partial<VirtualMachine['spec']>): Promise<VirtualMachine> {
  return await bed.admin.resource(virtualMachineKind).create(machineDraft(name, spec));
}

async function createType(name: string, spec: VirtualMachineInstancetypeSpec): Promise<void> {
  await bed.admin.resource(virtualMachineInstancetypeKind).create({ metadata: { name, namespace: 'default' }, spec });
}

function on(claimName: string) {
  return { spec: { ...EMPTY.spec, volumes: [{ name: 'root', persistentVolumeClaim: { claimName } }] } };
}

async function claim(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const body = JSON.stringify({ metadata: { name, labels }, spec });
  await bed.admin.request({ method: 'POST', path: '/api/v1/namespaces/default/persistentvolumeclaims', body });
}

async function subresource(method: string, path: string, body?: string): Promise<Answered> {
  const { url, ca, adminToken: token } = bed.server;
  const given = body === undefined ? {} : { body };
  return await ask(method, `${url}/apis/subresources.kubevirt.io/v1/namespaces/default/${path}`, {
    ca,
    token,
    ...given,
  });
}

async function failureOf(promise: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isKubeError(error)) throw new Error('it was not refused', { cause: error });
  return error;
}

function fieldsOf({ status }: KubeError): readonly (string | undefined)[] {
  return (status?.details?.causes ?? []).map(({ field }) => field);
}
