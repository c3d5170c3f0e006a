import { findCondition } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';

const TIMEOUT_MS = 30_000;

const podKind: KindReference<KubernetesObject & { readonly spec: unknown }> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

// One host lives through all of it in this order, beside another whose name begins like its own.
// It cannot live twice, so nothing of it is tried again.
describe('a hypervisor', { timeout: 60_000, retry: 0 }, () => {
  let bed: OperatorBed;
  let neighbour: unknown;

  beforeAll(async () => {
    const { settings, openStack } = await fastConfig();
    bed = await startOperatorBed({
      cloud: {
        hosts: ['node1', 'node10', { name: 'spare-1', zone: 'az1' }, { name: 'spare-2', zone: 'az1' }],
        aggregates: ['tenant_filter_tests', 'gold'],
        behaviour: { liveMigrationMs: 300 },
      },
      openStack: openStack.compute,
      controllers: allControllers(settings),
    });
    await bed.client.resource(namespaceKind).create({ metadata: { name: 'nova' } });
  }, 180_000);

  afterAll(() => bed[Symbol.asyncDispose]());

  it('is onboarded with a test instance when its node appears', async () => {
    await Promise.all([appear('node10'), appear('node1')]);

    await Promise.all(['node1', 'node10'].map((name) => bed.until(name, isReady, TIMEOUT_MS)));

    expect(await table('node1')).toMatch(/^node1 +node1 +True +Ready /m);
    expect(bed.cloud.host('node1')).toMatchObject({ status: 'enabled', aggregates: ['az1', 'gold'] });
    expect(bed.cloud.host('node1')?.traits).toContain('CUSTOM_BLUE');
    expect(bed.cloud.countOf('compute POST /servers')).toBe(2);
    expect(bed.cloud.servers()).toEqual([]);
  });

  it('is emptied, many instances at a time, when maintenance asks for it', async () => {
    for (let index = 0; index < 10; index++) bed.cloud.addServer('node1', { name: `vm-${index}` });
    const server = bed.cloud.addServer('node10', { name: 'neighbour' });
    neighbour = { ...bed.cloud.host('node10'), serverIds: expect.arrayContaining([server]) };

    await patch('node1', { maintenance: 'manual', maintenanceReason: 'new kernel' });
    await bed.untilEviction('node1', ({ status }) => (status?.progress?.moving ?? 0) > 1, TIMEOUT_MS);
    expect(await table('node1')).toMatch(/^node1 +node1 +False +Evicting /m);
    await bed.until('node1', ({ status }) => status?.evicted === true, TIMEOUT_MS);

    await bed.until('node1', (hypervisor) => reasonOf(hypervisor, 'Ready') === 'Evicted', TIMEOUT_MS);
    expect(await table('node1')).toMatch(/^node1 +node1 +False +Evicted /m);
    expect(await bed.kubectl('get', 'evi')).toMatch(/^node1 +node1 .*Succeeded/m);
    expect(bed.cloud.serversOn('node1')).toEqual([]);
    expect(bed.cloud.host('node1')).toMatchObject({ status: 'disabled' });
    expect(bed.cloud.moves().filter(({ status }) => status === 'completed')).toHaveLength(10);
  });

  it('comes back when maintenance ends', async () => {
    await patch('node1', { maintenance: '', maintenanceReason: '' });

    await bed.until('node1', isReady, TIMEOUT_MS);

    expect(await table('node1')).toMatch(/^node1 +node1 +True +Ready /m);
    expect(bed.cloud.host('node1')).toMatchObject({ status: 'enabled' });
    await expect.poll(() => bed.kubectl('get', 'evi', '-o', 'name')).toBe('');
  });

  it('waits for its agents before it is offboarded, and leaves nothing behind', async () => {
    const pods = bed.client.resource(podKind);
    const spec = { nodeName: 'node1', containers: [{ name: 'nova-compute', image: 'nova' }] };
    await pods.create({ metadata: { name: 'nova-compute', namespace: 'nova' }, spec }, { namespace: 'nova' });

    await patch('node1', { maintenance: 'termination' });
    await bed.until(
      'node1',
      (hypervisor) => reasonOf(hypervisor, 'AgentPodsEvicted') === 'AgentPodsRunning',
      TIMEOUT_MS,
    );
    expect(bed.cloud.host('node1')).toBeDefined();
    await pods.delete('nova-compute', { namespace: 'nova', gracePeriodSeconds: 0 });
    await bed.until('node1', (hypervisor) => reasonOf(hypervisor, 'Offboarded') === 'Offboarded', TIMEOUT_MS);

    await bed.until('node1', (hypervisor) => reasonOf(hypervisor, 'Ready') === 'Offboarded', TIMEOUT_MS);
    expect(await table('node1')).toMatch(/^node1 +node1 +False +Offboarded /m);
    expect(bed.cloud.host('node1')).toBeUndefined();
  });

  it('never touched the host whose name begins like its own', async () => {
    expect(bed.cloud.host('node10')).toEqual(neighbour);
    expect(await table('node10')).toMatch(/^node10 +node10 +True +Ready /m);
  });

  async function appear(name: string): Promise<void> {
    await bed.node(name, {
      labels: {
        'nova.openstack.cloud.sap/virt-driver': 'kvm',
        'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'true',
        'topology.kubernetes.io/zone': 'az1',
      },
      annotations: {
        'nova.openstack.cloud.sap/aggregates': 'gold',
        'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_BLUE',
      },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    });
  }

  async function patch(name: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    await bed.hypervisors.patch(name, 'merge', { spec });
  }

  async function table(name: string): Promise<string> {
    return await bed.kubectl('get', 'hv', name);
  }
});

function isReady(hypervisor: Hypervisor): boolean {
  return findCondition(hypervisor.status?.conditions, 'Ready')?.status === 'True';
}

function reasonOf({ status }: Hypervisor, type: string): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}
