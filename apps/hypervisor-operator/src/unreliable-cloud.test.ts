import type { FaultEffect } from '@smalt/bed-openstack-simulator';
import { findCondition, type ControllerOptions } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { loadCloudConfig } from '@smalt/openstack';
import { expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';
import { watchLifecycle } from './fixtures/watch-lifecycle.ts';
import { openStackOpener } from './hosts/openstack-opener.ts';

const STEP_MS = 100_000;
/** How long an answer is waited for that never comes. */
const CALL_TIMEOUT_MS = 300;

/** Of those that strike alike, the last ones come first. What may end the asking is therefore at the beginning. */
const EFFECTS: Readonly<Record<string, FaultEffect>> = {
  'dropped after': { kind: 'drop', when: 'after' },
  '500 after': { kind: 'answer', status: 500, when: 'after' },
  'hung after': { kind: 'hang', when: 'after' },
  404: { kind: 'answer', status: 404 },
  409: { kind: 'answer', status: 409 },
  500: { kind: 'answer', status: 500 },
  503: { kind: 'answer', status: 503 },
  429: { kind: 'answer', status: 429, retryAfterSeconds: 1 },
  hung: { kind: 'hang' },
  'dropped before': { kind: 'drop', when: 'before' },
  'page twice': { kind: 'page-twice' },
};

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Every kind of failure for every kind of request, if it means anything there. */
const TROUBLES = METHODS.flatMap((method) =>
  Object.entries(EFFECTS)
    .filter(([name]) => isMeaningful(method, name))
    .map(([name, effect]) => ({ name: `${method} ${name}`, method, effect })),
);

it('takes a host through its life on a cloud that fails in every way at every turn', { timeout: 330_000 }, async () => {
  await using bed = await startBed();
  await using history = watchLifecycle(bed, 'node1');
  const struck = new Set<string>();
  const step = async (isWanted: (hypervisor: Hypervisor) => boolean): Promise<void> => {
    bed.cloud.expireTokens();
    using _ = misbehave(bed, struck);
    await bed.until('node1', isWanted, STEP_MS);
  };

  await bed.node('node1', { labels: LABELS, annotations: ANNOTATIONS });
  await step((hypervisor) => reasonOf(hypervisor, 'Ready') === 'Ready');
  const ids = ['a', 'b', 'c', 'd'].map((name) => bed.cloud.addServer('node1', { name }));
  await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'auto' } });
  await step(({ status }) => status?.evicted === true);
  await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'termination' } });
  await step(({ status }) => status?.lifecycleState === 'Decommissioned');

  const completed = bed.cloud.moves().filter(({ status }) => status === 'completed');
  expect(completed.map(({ serverId }) => serverId).toSorted()).toEqual(ids.toSorted());
  expect(bed.cloud.servers().map(({ name, host }) => `${name} ${host}`)).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => `${name} spare`),
  );
  expect(bed.cloud.host('node1')).toBeUndefined();
  expect(bed.cloud.host('node10')).toMatchObject({ status: 'disabled', disabledReason: 'not ours', aggregates: [] });
  await expect.poll(() => history.states.at(-1)).toBe('Decommissioned');
  expect(history.strayChanges()).toEqual([]);
  expect([...struck].toSorted()).toEqual(TROUBLES.map(({ name }) => name).toSorted());
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
  await using stack = new AsyncDisposableStack();
  const bed = stack.use(
    await startOperatorBed({
      cloud: {
        hosts: ['node1', neighbour, { name: 'spare', zone: 'az1' }],
        aggregates: ['tenant_filter_tests', 'gold'],
        behaviour: { liveMigrationMs: 300 },
      },
    }),
  );
  const cloudConfig = await loadCloudConfig({ environment: bed.cloud.environment() });
  await bed.restartOperator({
    openCompute: openStackOpener(cloudConfig, { ...openStack, timeoutMs: CALL_TIMEOUT_MS, maxAttempts: 2 }),
    controllers: (context) => allControllers(settings)(context).map(impatient),
  });
  stack.move();
  return bed;
}

/** Comes back soon however often it failed: here all that can fail does. */
function impatient(controller: ControllerOptions): ControllerOptions {
  return { ...controller, backOff: { ...controller.backOff, longestMs: 200 } };
}

// To have been carried out means nothing to a question, and a second page is had by asking only.
function isMeaningful(method: string, effect: string): boolean {
  if (effect === 'page twice') return method === 'GET';
  return method !== 'GET' || !effect.endsWith(' after');
}

/** All troubles, once each in each service; tells which have struck when it ends. */
function misbehave(bed: OperatorBed, struck: Set<string>): Disposable {
  const faults = ['compute', 'placement'].flatMap((service) =>
    TROUBLES.map(({ name, method, effect }) => ({
      name,
      injected: bed.cloud.inject({ service, method, times: 1, effect }),
    })),
  );
  return {
    [Symbol.dispose]: () => {
      for (const { name, injected } of faults) {
        if (injected.hits > 0) struck.add(name);
        injected.clear();
      }
    },
  };
}

function reasonOf({ status }: Hypervisor, type: string): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}
