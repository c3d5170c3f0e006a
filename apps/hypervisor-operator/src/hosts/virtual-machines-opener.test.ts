import { installDefinitions } from '@smalt/bed-kubernetes';
import { follow, type ResourceClient } from '@smalt/kube';
import {
  readVmDefinitions,
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allControllers } from '../all-controllers.ts';
import { fastConfig } from '../fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords } from '../fixtures/registered-host.ts';
import { virtualMachinesOpener } from './virtual-machines-opener.ts';

const SPEC = { domain: { memory: { guest: '64Mi' }, devices: {} } } as const;
const stopping = new AbortController();
let bed: OperatorBed;
let instances: ResourceClient<VirtualMachineInstance>;
let migrations: ResourceClient<VirtualMachineInstanceMigration>;

beforeAll(async () => {
  bed = await startOperatorBed({ cloud: 'none' });
  instances = bed.client.resource(virtualMachineInstanceKind);
  migrations = bed.client.resource(virtualMachineInstanceMigrationKind);
}, 120_000);

afterAll(async () => {
  stopping.abort();
  await bed[Symbol.asyncDispose]();
});

describe('an operator on the virtual machines of its cluster', { timeout: 60_000 }, () => {
  it('does not start where the cluster knows none, and says what to do', async () => {
    const { virtualMachines } = await fastConfig();

    await expect(bed.startOperator({ openCompute: virtualMachinesOpener(virtualMachines) })).rejects.toMatchObject({
      code: 'missing-definitions',
      message: expect.stringContaining('kubectl apply -f deploy/helm/smalt/files/crds'),
    });
  });

  it('takes a host into use, empties it for maintenance by migrations, and takes it back', async () => {
    const { settings, virtualMachines } = await fastConfig();
    await installDefinitions(bed.client, await readVmDefinitions(), AbortSignal.timeout(30_000));
    const openCompute = virtualMachinesOpener(virtualMachines);
    await bed.restartOperator({ controllers: allControllers(settings), openCompute });
    await makeHost('hv1');
    await makeHost('hv2');
    await bed.until('hv1', (each) => each.status?.lifecycleState === 'Active', 30_000);
    await runInstance('web', 'hv1');
    const playing = playMigrations('hv2');

    await bed.hypervisors.patch('hv1', 'merge', { spec: { maintenance: 'manual', maintenanceReason: 'new kernel' } });
    await bed.until('hv1', (each) => conditionWords(each, 'Evicting')?.startsWith('False/Succeeded') === true, 30_000);
    const cordoned = await bed.nodes.get('hv1');
    const moved = await instances.get('web', { namespace: 'default' });
    await bed.hypervisors.patch('hv1', 'merge', { spec: { maintenance: '', maintenanceReason: '' } });
    await bed.until('hv1', (each) => each.status?.lifecycleState === 'Active', 30_000);
    const taken = await bed.nodes.get('hv1');

    expect(cordoned).toMatchObject({ spec: { unschedulable: true } });
    expect(moved.status?.nodeName).toBe('hv2');
    expect(taken).not.toHaveProperty('spec.unschedulable');
    stopping.abort();
    await playing;
  });
});

async function makeHost(name: string): Promise<void> {
  await bed.node(name, {
    labels: {
      'nova.openstack.cloud.sap/virt-driver': 'kvm',
      'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
      'topology.kubernetes.io/zone': 'a',
    },
    annotations: { [WellKnownName.heartbeatAnnotation]: new Date().toISOString() },
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
  });
}

async function runInstance(name: string, nodeName: string): Promise<void> {
  const labels = { [WellKnownName.nodeNameLabel]: nodeName };
  await instances.create({ metadata: { name, namespace: 'default', labels }, spec: SPEC });
  await instances.patch(name, 'merge', { status: { phase: 'Running', nodeName } }, { namespace: 'default' });
}

/** Every migration that is asked for succeeds, as virt-controller and two virt-handlers would have it. */
async function playMigrations(targetNode: string): Promise<void> {
  try {
    for await (const events of follow(migrations, { namespace: 'default', signal: stopping.signal })) {
      const asked = events.flatMap((event) => (event.type === 'ADDED' ? [event.object] : []));
      for (const migration of asked) await carryOut(migration, targetNode);
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
}

async function carryOut({ metadata, spec }: VirtualMachineInstanceMigration, targetNode: string): Promise<void> {
  const namespace = 'default';
  const vmi = await instances.get(spec.vmiName ?? '', { namespace });
  const migrationState = { sourceNode: vmi.status?.nodeName ?? '', targetNode, completed: true };
  const moved = {
    metadata: { labels: { [WellKnownName.nodeNameLabel]: targetNode } },
    status: { nodeName: targetNode },
  };
  await instances.patch(vmi.metadata.name, 'merge', moved, { namespace });
  const status = { phase: 'Succeeded', migrationState };
  await migrations.patch(metadata.name, 'merge', { status }, { namespace, subresource: 'status' });
}
