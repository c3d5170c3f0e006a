import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { whereaboutsOn } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

const SLOWLY = { bandwidthPerMigration: '1Mi' };

// One guest lives through all of it in this order.
describe('a handler that is killed while a guest leaves', { timeout: 120_000 }, () => {
  let world: MigrationWorld;

  beforeAll(async () => {
    world = await MigrationWorld.open({ words: ['tick'] });
    await world.console.waitFor(/^tick 2/m);
  }, 120_000);

  afterAll(async () => world[Symbol.asyncDispose]());

  it('leaves the guest running here alone, and its successor gives up what was aborted meanwhile', async () => {
    await killSourceOnTheWay();
    world.amend({ abortRequested: true });
    world.revive(world.first);
    const state = await world.until(isOver);

    expect(state).toMatchObject({ failed: true, abortStatus: 'Succeeded' });
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('absent');
  });

  it('has a successor that begins it again', async () => {
    await killSourceOnTheWay();
    world.amend({ migrationConfiguration: {} });
    world.revive(world.first);
    const state = await world.until(isOver);

    expect(state).not.toHaveProperty('failed');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
    const ticks = Array.from((await world.console.text()).matchAll(/^tick (\d+)\r?\n/gmu), ([, count]) =>
      Number(count),
    );
    expect(ticks).toEqual(ticks.map((_, index) => index));
  });

  it('at the target hinders nothing: its successor makes the node ready again, and takes the guest in', async () => {
    world.begin(SLOWLY);
    await world.until(({ targetNodeAddress }) => targetNodeAddress !== undefined);
    world.first.restartTarget();
    await world.until(({ mode }) => mode === 'PreCopy');
    world.silence(world.first);
    world.first.restartTarget();
    world.amend({ abortRequested: true });
    const aborted = await world.until(isOver);
    world.revive(world.first);
    await world.settled();

    expect(aborted).toMatchObject({ failed: true, abortStatus: 'Succeeded' });
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    expect([...world.first.connected]).toEqual([]);

    world.begin();
    await world.until(({ startTimestamp }) => startTimestamp !== undefined);
    world.silence(world.first);
    await world.until(isOver);
    world.first.restartTarget();
    world.revive(world.first);
    await world.until(({ targetNodeDomainDetected }) => targetNodeDomainDetected === true);

    expect(world.instance.status?.nodeName).toBe('hv1');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    expect(world.first.adopted).toHaveLength(1);
  });

  /** A migration that another process has begun, and that nobody carries on. */
  async function killSourceOnTheWay(): Promise<void> {
    world.silence(world.first);
    world.begin(SLOWLY);
    await world.until(({ targetNodeAddress }) => targetNodeAddress !== undefined);
    world.amend({ startTimestamp: new Date().toISOString() });
    const program = join(import.meta.dirname, 'fixtures/source-process.ts');
    const words = [program, JSON.stringify(world.instance), world.first.host.uri];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('held');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
