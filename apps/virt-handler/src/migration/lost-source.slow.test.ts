import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { whereaboutsOn } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

const TIMEOUT = { timeout: 120_000 };

it('belongs to the target when it has arrived and the source is off before it could tell', TIMEOUT, async () => {
  const off = new Set<string>();
  await using world = await openWorld(off);
  world.begin();
  await world.until(({ startTimestamp }) => startTimestamp !== undefined);
  await world.settled();
  world.silence(world.first);
  const arrived = await world.until(({ targetNodeDomainDetected }) => targetNodeDomainDetected === true);

  await world.crash(world.first);
  await world.settled();
  const unproven = world.instance.status?.migrationState;
  off.add('hv1');
  world.wake();
  const state = await world.until(isOver);

  expect([arrived.completed, unproven?.completed]).toEqual([undefined, undefined]);
  expect(state).not.toHaveProperty('failed');
  expect(world.instance.status?.nodeName).toBe('hv2');
  expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
  await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
});

it(
  'is lost when the source is off before it has arrived, and nothing of it is left at the target',
  TIMEOUT,
  async () => {
    const off = new Set<string>();
    await using world = await openWorld(off);
    world.begin({ bandwidthPerMigration: '1Mi' });
    await world.until(({ mode }) => mode === 'PreCopy');

    await world.crash(world.first);
    off.add('hv1');
    world.wake();
    const state = await world.until(isOver);
    await world.settled();

    expect(state).toMatchObject({ failed: true, failureReason: expect.stringContaining('hv1 lost its power') });
    expect(world.instance.status?.nodeName).toBe('hv1');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('absent');
    expect([...world.second.connected]).toEqual([]);
  },
);

async function openWorld(off: ReadonlySet<string>): Promise<MigrationWorld> {
  const world = await MigrationWorld.open({ words: ['tick'], isProvenOff: async (nodeName) => off.has(nodeName) });
  await world.console.waitFor(/^tick 2/m);
  return world;
}

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
