import { findCondition } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';
import { watchLifecycle } from './fixtures/watch-lifecycle.ts';

const STEP_MS = 60_000;

it.each([{ first: 'first' }, { first: 'second' }] as const)(
  'goes on after it was killed upon every other change it made, from the $first on, and repeats none that would harm',
  { timeout: 180_000 },
  async ({ first }) => {
    await using bed = await startBed();
    const servers = ['a', 'b', 'c'].map((name) => () => bed.cloud.addServer('node1', { name }));
    await using history = watchLifecycle(bed, 'node1');
    await using killer = killUponChanges(bed, first === 'first');

    await appear(bed);
    await bed.until('node1', (hypervisor) => reasonOf(hypervisor, 'Ready') === 'Ready', STEP_MS);
    expect(bed.cloud.countOf('compute POST /servers')).toBe(1);
    const ids = servers.map((add) => add());
    await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'auto' } });
    await bed.until('node1', ({ status }) => status?.evicted === true, STEP_MS);
    await bed.hypervisors.patch('node1', 'merge', { spec: { maintenance: 'termination' } });
    await bed.until('node1', ({ status }) => status?.lifecycleState === 'Decommissioned', STEP_MS);

    const moves = bed.cloud.moves().map(({ serverId, status }) => `${serverId} ${status}`);
    expect(moves.toSorted()).toEqual(ids.map((id) => `${id} completed`).toSorted());
    expect(bed.cloud.host('node1')).toBeUndefined();
    expect(bed.cloud.host('node10')).toMatchObject({ status: 'enabled', aggregates: [] });
    expect(killer.kills()).toBeGreaterThan(4);
    await expect.poll(() => history.states.at(-1)).toBe('Decommissioned');
    expect(history.strayChanges()).toEqual([]);
  },
);

async function startBed(): Promise<OperatorBed> {
  const { settings, openStack } = await fastConfig();
  const hosts = ['node1', 'node10', { name: 'spare', zone: 'az1' }];
  return await startOperatorBed({
    cloud: { hosts, aggregates: ['tenant_filter_tests'], behaviour: { liveMigrationMs: 500 } },
    openStack: openStack.compute,
    controllers: allControllers(settings),
  });
}

async function appear(bed: OperatorBed): Promise<void> {
  const labels = {
    'nova.openstack.cloud.sap/virt-driver': 'kvm',
    'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'true',
    'topology.kubernetes.io/zone': 'az1',
  };
  await bed.node('node1', { labels, annotations: { 'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_BLUE' } });
}

interface Killer extends AsyncDisposable {
  kills(): number;
}

/**
 * The cloud carries a change out, but its answer is lost, and the operator dies. The next change passes, lest one that may be
 * repeated is repeated for ever.
 */
function killUponChanges(bed: OperatorBed, isFirstLost: boolean): Killer {
  let kills = 0;
  const ending = new AbortController();
  const work = async (): Promise<void> => {
    if (!isFirstLost) await changed(bed, ending.signal);
    while (!ending.signal.aborted) {
      await lost(bed, ending.signal);
      if (ending.signal.aborted) return;
      kills++;
      await bed.restartOperator();
      await changed(bed, ending.signal);
    }
  };
  const working = work();
  return {
    kills: () => kills,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await working;
    },
  };
}

/** Resolves when the answer to a change was lost. */
async function lost(bed: OperatorBed, signal: AbortSignal): Promise<void> {
  using stack = new DisposableStack();
  const faults = ['compute', 'placement'].flatMap((service) =>
    ['POST', 'PUT', 'DELETE'].map((method) =>
      stack.use(bed.cloud.inject({ service, method, times: 1, effect: { kind: 'drop', when: 'after' } })),
    ),
  );
  await poll(() => signal.aborted || faults.some(({ hits }) => hits > 0));
}

/** Resolves when a change has passed. */
async function changed(bed: OperatorBed, signal: AbortSignal): Promise<void> {
  const before = changes(bed);
  await poll(() => signal.aborted || changes(bed) > before);
}

function changes(bed: OperatorBed): number {
  return bed.cloud.countOf(/^(compute|placement) (POST|PUT|DELETE) /);
}

async function poll(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 150_000, interval: 2 }).toBe(true);
}

function reasonOf({ status }: Hypervisor, type: string): string | undefined {
  return findCondition(status?.conditions, type)?.reason;
}
