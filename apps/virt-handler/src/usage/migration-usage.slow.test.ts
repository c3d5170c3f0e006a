import { systemClock } from '@smalt/controller-runtime';
import { findHypervisor } from '@smalt/hypervisors';
import type { MigrationUsage, NodeUsage } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { sessionOf } from '../migration/fixtures/migration-node.ts';
import { MigrationWorld } from '../migration/fixtures/migration-world.ts';
import { readHostUsage } from './read-host-usage.ts';
import { UsageSampler } from './usage-sampler.ts';

/** So little that it can be watched. */
const SLOWLY = { bandwidthPerMigration: '4Mi' };

it('tells how far a real migration is, until the guest has left', { timeout: 120_000 }, async () => {
  await using world = await MigrationWorld.open({ words: ['tick'] });
  await world.console.waitFor(/tick/);
  const session = sessionOf(world.first);
  const domain = await session.domainLookupByName({ name: 'default_guest' });
  const running = { hypervisor: findHypervisor('qemu'), session, domain };
  const sampler = new UsageSampler({
    nodeName: 'hv1',
    sessions: [session],
    instances: { find: () => ({ ...running, instance: world.instance }) },
    readHost: () => readHostUsage(),
    clock: systemClock,
    ignore: () => undefined,
  });
  const stop = new AbortController();

  world.begin(SLOWLY);
  const [first, second] = await movesIn(sampler.samples(stop.signal), 2);
  world.amend({ abortRequested: true });
  await world.until(({ endTimestamp }) => typeof endTimestamp === 'string');
  const after = await lastOf(sampler.samples(stop.signal));
  stop.abort();

  expect(first).toMatchObject({ mode: 'PreCopy', iteration: expect.any(Number) });
  expect(first?.totalBytes).toBeGreaterThan(10_000_000);
  expect(first?.remainingBytes).toBeGreaterThan(0);
  expect(second?.processedBytes).toBeGreaterThan(first?.processedBytes ?? 0);
  expect(second?.elapsedMs).toBeGreaterThan(first?.elapsedMs ?? 0);
  expect(after?.machines[0]).not.toHaveProperty('migration');
});

async function movesIn(samples: AsyncIterable<NodeUsage>, count: number): Promise<readonly MigrationUsage[]> {
  const found: MigrationUsage[] = [];
  for await (const { machines } of samples) {
    const { migration } = machines[0] ?? {};
    if (migration !== undefined) found.push(migration);
    if (found.length === count) break;
  }
  return found;
}

/** What was measured after this was called. */
async function lastOf(samples: AsyncGenerator<NodeUsage, void>): Promise<NodeUsage | undefined> {
  await samples.next();
  const { value } = await samples.next();
  await samples.return();
  return value ?? undefined;
}
