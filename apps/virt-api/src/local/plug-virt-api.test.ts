import type { JsonObject } from '@smalt/json';
import { isKubeError, type KubeClient, type KubeError } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineInstanceReplicaSetKind,
  virtualMachineKind,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask } from '../fixtures/ask.ts';
import { instanceDraft, machineDraft } from '../fixtures/machines.ts';
import { NODE, startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';

let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('instances', () => {
  it('are filled in when they are created', async () => {
    const created = await bed.admin.resource(virtualMachineInstanceKind).create(instanceDraft('filled'));

    expect(created).toMatchObject({
      metadata: { finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'] },
      spec: { hypervisor: 'qemu-kvm', architecture: 'amd64', networks: [{ name: 'default', pod: {} }] },
      status: { phase: 'Pending' },
    });
  });

  it('get what their driver needs, and no display from one that has none', async () => {
    const volumes = [{ name: 'root', containerDisk: { image: 'demo' } }];

    const created = await bed.admin
      .resource(virtualMachineInstanceKind)
      .create(instanceDraft('cloudy', { hypervisor: 'cloud-hypervisor', volumes }));

    expect(created.spec.domain).toMatchObject({
      cpu: { model: 'host-passthrough' },
      devices: { autoattachGraphicsDevice: false, disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
    });
    expect(created.spec.domain.cpu?.maxSockets).toBeUndefined();
  });

  it('are refused with every cause, the field and what to do', async () => {
    const draft = instanceDraft('wrong', {
      hypervisor: 'cloud-hypervisor',
      evictionStrategy: 'Sometimes',
      domain: { memory: { guest: '64Mi' }, devices: { tpm: {} } },
    });

    const refused = await failureOf(bed.admin.resource(virtualMachineInstanceKind).create(draft));

    expect(refused.httpStatus).toBe(422);
    expect(refused.status?.details?.causes?.map(({ field }) => field)).toEqual([
      'spec.evictionStrategy',
      'spec.domain.devices.tpm',
    ]);
    expect(refused.message).toContain('spec.evictionStrategy is set with an unrecognized option: Sometimes');
  });

  it('that share the kernel of their node are refused where nobody has allowed it', async () => {
    const refused = await failureOf(
      bed.admin.resource(virtualMachineInstanceKind).create(instanceDraft('box', { hypervisor: 'lxc' })),
    );

    expect(refused.httpStatus).toBe(422);
    expect(refused.message).toContain('spec.hypervisor is not allowed in this cluster: lxc');
    expect(refused.status?.details?.causes?.[0]?.message).toContain('machines.allowedHypervisors');
  });

  it('that run keep the finalizers of the control plane, even from an administrator', async () => {
    await bed.instance('silent');
    const instances = bed.admin.resource(virtualMachineInstanceKind);
    const { metadata } = await instances.get('silent', { namespace: 'default' });

    const refused = await failureOf(
      instances.patch('silent', 'merge', { metadata: { finalizers: null } }, { namespace: 'default' }),
    );
    const noted = await instances.patch(
      'silent',
      'merge',
      { metadata: { labels: { a: 'b' } } },
      { namespace: 'default' },
    );

    expect(metadata.finalizers).toEqual(['kubevirt.io/foregroundDeleteVirtualMachine']);
    expect(refused.httpStatus).toBe(422);
    expect(refused.status?.details?.causes).toMatchObject([
      { field: 'metadata.finalizers', message: expect.stringContaining('confirm in the HA service that it is off') },
    ]);
    expect(noted.metadata.finalizers).toEqual(metadata.finalizers);
  });

  it('of a driver that does not exist are refused', async () => {
    const draft = instanceDraft('nowhere', { hypervisor: 'bhyve' });

    const refused = await failureOf(bed.admin.resource(virtualMachineInstanceKind).create(draft));

    expect(refused.status?.details?.causes).toMatchObject([
      { field: 'spec.hypervisor', reason: 'FieldValueNotSupported' },
    ]);
  });

  it.each([
    ['a spec that is a text', { spec: 'nothing' }],
    ['a domain that is a list', { spec: { domain: [] } }],
    ['volumes that are no list', { spec: { domain: { devices: {} }, volumes: { name: 'a' } } }],
    ['no spec', {}],
  ])('with %s are refused and break nothing', async (_, part) => {
    const path = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
    const body = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name: 'odd' }, ...part };

    const { code } = await ask('POST', `${bed.server.url}${path}`, {
      ca: bed.server.ca,
      token: bed.server.adminToken,
      body,
    });

    expect([400, 422]).toContain(code);
    expect(bed.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('keep the status that the control plane has written, whoever else writes one', async () => {
    const instances = bed.admin.resource(virtualMachineInstanceKind);
    const created = await instances.create(instanceDraft('kept'));
    const controller = await bed.member('smalt-virt-controller');

    const byUser = await instances.replace({ ...created, status: { phase: 'Running', nodeName: 'mine' } });
    const byController = await controller
      .resource(virtualMachineInstanceKind)
      .patch('kept', 'json', [{ op: 'add', path: '/status/phase', value: 'Scheduling' }], { namespace: 'default' });

    expect(byUser.status?.phase).toBe('Pending');
    expect(byController.status?.phase).toBe('Scheduling');
  });

  it('are changed by the control plane alone', async () => {
    const instances = bed.admin.resource(virtualMachineInstanceKind);
    const created = await instances.create(instanceDraft('fixed'));

    const refused = await failureOf(
      instances.replace({ ...created, spec: { ...created.spec, terminationGracePeriodSeconds: 9 } }),
    );

    expect(refused.message).toContain('update of VMI object is restricted');
  });

  it('are written by a handler only with the name of its node', async () => {
    await bed.admin.resource(virtualMachineInstanceKind).create(instanceDraft('remote'));
    const handler = await bed.member('smalt-virt-handler');

    const refused = await failureOf(
      handler
        .resource(virtualMachineInstanceKind)
        .patch('remote', 'json', [{ op: 'add', path: '/status/phase', value: 'Running' }], { namespace: 'default' }),
    );

    expect(refused.message).toContain('virt-handler service account is missing node name');
  });
});

describe('virtual machines', () => {
  it('get what stays the same for all of their instances, and a warning about what is old', async () => {
    const { runStrategy: _strategy, ...spec } = machineDraft('old').spec;

    const created = await bed.admin
      .resource(virtualMachineKind)
      .create({ ...machineDraft('old'), spec: { ...spec, running: false } });

    expect(created.spec.template.spec).toMatchObject({ architecture: 'amd64', hypervisor: 'qemu-kvm' });
    expect(created.spec.template.spec?.domain.firmware?.uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are refused for what their template asks for', async () => {
    const template = {
      spec: { hypervisor: 'cloud-hypervisor', domain: { memory: { guest: '1Mi' }, devices: { tpm: {} } } },
    };

    const refused = await failureOf(
      bed.admin.resource(virtualMachineKind).create(machineDraft('bad', { template, runStrategy: 'Maybe' })),
    );

    const fields = refused.status?.details?.causes?.map(({ field }) => field);
    expect(fields).toEqual(expect.arrayContaining(['spec.runStrategy', 'spec.template.spec.domain.devices.tpm']));
  });
});

describe('replica sets', () => {
  it('are refused when they would not count their own instances', async () => {
    const refused = await failureOf(
      bed.admin.resource(virtualMachineInstanceReplicaSetKind).create({
        metadata: { name: 'set', namespace: 'default' },
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'b' } }, spec: instanceDraft('x').spec },
        },
      }),
    );

    expect(refused.message).toContain('selector does not match labels.');
  });
});

describe('migrations', () => {
  it('are found by their instance, one at a time', async () => {
    await bed.admin.resource(virtualMachineInstanceKind).create(instanceDraft('moving'));
    const migrations = bed.admin.resource(virtualMachineInstanceMigrationKind);
    const draft = { metadata: { generateName: 'm-', namespace: 'default' }, spec: { vmiName: 'moving' } };

    const first = await migrations.create(draft);
    const second = await failureOf(migrations.create(draft));
    const nowhere = await failureOf(migrations.create({ ...draft, spec: { vmiName: 'gone' } }));

    expect(first.metadata).toMatchObject({
      labels: { 'kubevirt.io/vmi-name': 'moving' },
      finalizers: ['kubevirt.io/migrationJobFinalize'],
    });
    expect(second.message).toContain('in-flight migration detected');
    expect(nowhere.message).toContain('the VMI "default/gone" does not exist');
  });
});

describe('evictions of launcher pods', () => {
  it('move the guest first, mark it once, and do nothing in a dry run', async () => {
    await bed.instance('drained', { spec: { evictionStrategy: 'LiveMigrate' }, status: migratable() });
    await launcherPod('drained');

    const dry = await evict('drained', { deleteOptions: { dryRun: ['All'] } });
    const unmarked = await bed.admin.resource(virtualMachineInstanceKind).get('drained', { namespace: 'default' });
    const first = await evict('drained');
    const marked = await bed.admin.resource(virtualMachineInstanceKind).get('drained', { namespace: 'default' });
    const second = await evict('drained');

    expect([dry.code, first.code, second.code]).toEqual([429, 429, 429]);
    expect(unmarked.status?.evacuationNodeName).toBeUndefined();
    expect(first.object['message']).toBe('Eviction triggered evacuation of VMI "default/drained"');
    expect(marked.status?.evacuationNodeName).toBe(NODE);
    expect(second.object['message']).toContain('Evacuation in progress');
  });

  it('pass when nothing has to be kept, and for pods of others', async () => {
    await bed.instance('careless', { spec: { evictionStrategy: 'None' }, status: migratable() });
    await launcherPod('careless');
    await createPod({ name: 'virt-launcher-other' });

    const own = await evict('careless');
    const other = await evict('other');

    expect([own.code, other.code]).toEqual([201, 201]);
  });
});

describe('launcher pods', () => {
  it('are made by virt-controller and nobody else, not even by an administrator', async () => {
    const marks = { 'kubevirt.io/created-by': 'u1' };
    const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm', uid: 'u1' };
    const controller = await bed.member('smalt-virt-controller');

    const labelled = await failureOf(createPod({ name: 'labelled', labels: marks }));
    const owned = await failureOf(createPod({ name: 'owned', ownerReferences: [owner] }));
    await createPod({ name: 'real', labels: marks, ownerReferences: [owner] }, controller);

    expect(labelled.status?.details?.causes).toMatchObject([{ field: 'metadata.labels[kubevirt.io/created-by]' }]);
    expect(owned.message).toContain('only virt-controller makes pods the launchers of virtual machines');
  });
});

it('counts what it takes and refuses', () => {
  const text = bed.metrics.expose();

  expect(text).toMatch(/smalt_virt_api_reviews_total\{resource="virtualmachineinstances",verdict="refused"\} [1-9]/);
  expect(text).toMatch(/smalt_virt_api_reviews_total\{resource="virtualmachineinstances",verdict="taken"\} [1-9]/);
});

async function failureOf(writing: Promise<unknown>): Promise<KubeError> {
  const error = await writing.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isKubeError(error)) throw new Error('the write was taken', { cause: error });
  return error;
}

function migratable(): VirtualMachineInstance['status'] {
  return { phase: 'Running', nodeName: NODE, conditions: [{ type: 'LiveMigratable', status: 'True' }] };
}

async function launcherPod(name: string): Promise<void> {
  await createPod({
    name: `virt-launcher-${name}`,
    labels: { 'kubevirt.io': 'virt-launcher' },
    annotations: { 'kubevirt.io/domain': name },
  });
}

async function createPod(metadata: JsonObject, client: KubeClient = bed.admin): Promise<void> {
  const spec = { nodeName: NODE, containers: [{ name: 'compute', image: 'launcher' }] };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  await client.request({ method: 'POST', path: '/api/v1/namespaces/default/pods', body });
}

function evict(
  name: string,
  options: { readonly deleteOptions?: { readonly dryRun: string[] } } = {},
): ReturnType<typeof ask> {
  const path = `/api/v1/namespaces/default/pods/virt-launcher-${name}/eviction`;
  const metadata = { name: `virt-launcher-${name}`, namespace: 'default' };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata, ...options };
  return ask('POST', `${bed.server.url}${path}`, { ca: bed.server.ca, token: bed.server.adminToken, body });
}
