import type { FaultEffect } from '@smalt/bed-openstack-simulator';
import { findCondition } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';

const STEP_MS = 60_000;

const EFFECTS: readonly FaultEffect[] = [
  { kind: 'answer', status: 500 },
  { kind: 'answer', status: 503 },
  { kind: 'answer', status: 429, retryAfterSeconds: 1 },
  { kind: 'answer', status: 409 },
  { kind: 'answer', status: 500, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'page-twice' },
];

it('takes a host through its life on a cloud that fails in every way at every turn', { timeout: 240_000 }, async () => {
  await using bed = await startBed();
  const step = async (isWanted: (hypervisor: Hypervisor) => boolean): Promise<void> => {
    bed.cloud.expireTokens();
    using faults = misbehave(bed);
    await bed.until('node1', isWanted, STEP_MS);
    expect(faults.hits()).toBeGreaterThan(3);
  };

  await bed.node('node1', { labels: LABELS, annotations: ANNOTATIONS });
  await step((hypervisor) => reasonOf(hypervisor, 'Ready') === 'Ready');
  const ids = ['a', 'b', 'c', 'd'].map((name) => bed.cloud.addServer('node1', { name }));
  await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'auto' } });
  await step(({ status }) => status?.evicted === true);
  await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'termination' } });
  await step((hypervisor) => reasonOf(hypervisor, 'Offboarded') === 'Offboarded');

  const completed = bed.cloud.moves().filter(({ status }) => status === 'completed');
  expect(completed.map(({ serverId }) => serverId).toSorted()).toEqual(ids.toSorted());
  expect(bed.cloud.servers().map(({ name, host }) => `${name} ${host}`)).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => `${name} spare`),
  );
  expect(bed.cloud.host('node1')).toBeUndefined();
  expect(bed.cloud.host('node10')).toMatchObject({ status: 'disabled', disabledReason: 'not ours', aggregates: [] });
});

const LABELS = {
  'nova.openstack.cloud.sap/virt-driver': 'kvm',
  'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'true',
  'topology.kubernetes.io/zone': 'az1',
};

const ANNOTATIONS = {
  'nova.openstack.cloud.sap/aggregates': 'gold',
  'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_BLUE',
};

async function startBed(): Promise<OperatorBed> {
  const { settings, openStack } = await fastConfig({
    'eviction-limits-retry-pause-ms': '200',
    'eviction-limits-attempts': '20',
    'onboarding-attempts': '20',
  });
  const neighbour = { name: 'node10', status: 'disabled', disabledReason: 'not ours' } as const;
  return await startOperatorBed({
    cloud: {
      hosts: ['node1', neighbour, { name: 'spare', zone: 'az1' }],
      aggregates: ['tenant_filter_tests', 'gold'],
      behaviour: { liveMigrationMs: 300 },
    },
    openStack: openStack.compute,
    controllers: allControllers(settings),
  });
}

interface Misbehaviour extends Disposable {
  hits(): number;
}

/** Every kind of failure, once for each kind of request. */
function misbehave(bed: OperatorBed): Misbehaviour {
  const stack = new DisposableStack();
  const faults = ['compute', 'placement'].flatMap((service) =>
    ['GET', 'POST', 'PUT', 'DELETE'].flatMap((method) =>
      EFFECTS.map((effect) => stack.use(bed.cloud.inject({ service, method, times: 1, effect }))),
    ),
  );
  return {
    hits: () => faults.reduce((sum, { hits }) => sum + hits, 0),
    [Symbol.dispose]: () => stack.dispose(),
  };
}

function reasonOf({ status }: Hypervisor, type: string): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}
