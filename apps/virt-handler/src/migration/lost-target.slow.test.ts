import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sessionOf, whereaboutsOn } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

/** So little that memory is on its way for long; the disk is next to empty and goes at once. */
const SLOWLY = { bandwidthPerMigration: '1Mi' };

// One guest lives through all of it in this order. QEMU is told to let go of its disk at the target in each of these cases,
// and would wait for that with the guest standing still, until TCP gives up.
describe('a guest whose target loses its power while memory is sent', { timeout: 60_000 }, () => {
  let world: MigrationWorld;

  beforeAll(async () => {
    world = await MigrationWorld.open({ words: ['tick'] });
    await world.console.waitFor(/^tick 2/m);
  }, 60_000);

  afterAll(async () => world[Symbol.asyncDispose]());

  it('stays and goes on', async () => {
    world.begin(SLOWLY);
    await memoryIsSent();
    await world.crash(world.second);
    const state = await world.until(isOver);

    expect(state).toMatchObject({ failed: true, failureReason: expect.stringContaining('was lost') });
    expect(world.instance.status?.nodeName).toBe('hv1');
    await expectToGoOn();
  });

  it('stays and goes on when the migration is aborted before anybody has noticed', async () => {
    await world.powerOn(world.second);
    world.begin(SLOWLY);
    await memoryIsSent();
    await world.crash(world.second);
    world.amend({ abortRequested: true });
    const state = await world.until(isOver);

    expect(state).toMatchObject({ failed: true, abortStatus: 'Succeeded' });
    await expectToGoOn();
  });

  it('moves when the target is back', async () => {
    await world.powerOn(world.second);
    world.begin();
    const state = await world.until((each) => isOver(each) && each.targetNodeDomainDetected === true);

    expect(state).not.toHaveProperty('failed');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
  });

  async function memoryIsSent(): Promise<void> {
    await world.until(({ mode }) => mode === 'PreCopy');
    const session = sessionOf(world.first);
    const domain = await session.domainLookupByName({ name: 'default_guest' });
    const sent = async (): Promise<bigint> =>
      (await session.domainGetJobStats({ domain })).params.memory_processed ?? 0n;
    await expect.poll(sent).toBeGreaterThan(0n);
  }

  async function expectToGoOn(): Promise<void> {
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
  }
});

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
