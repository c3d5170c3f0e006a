import { access } from 'node:fs/promises';

import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { sessionOf, whereaboutsOn, type MigrationNode } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

/** So little that a migration does not end by itself before something else happens to it. */
const SLOWLY = { bandwidthPerMigration: '1Mi' };

// One guest, emulated and slow to boot, lives through all of it in this order.
describe('a guest between two hosts', { timeout: 60_000 }, () => {
  let world: MigrationWorld;

  beforeAll(async () => {
    world = await MigrationWorld.open({ words: ['tick', 'wblk'] });
    await world.console.waitFor(/^wrote 16/m);
  }, 60_000);

  afterAll(async () => world[Symbol.asyncDispose]());

  it('does not leave for a node that cannot be made ready, and it is said why', async () => {
    world.second.volumeFailure = new VirtHandlerError('disk-full', 'there is no room for the disk');

    world.begin();
    const state = await world.until(isOver);

    expect(state).toMatchObject({
      failed: true,
      failureReason: 'The node hv2 cannot be made ready for the guest: there is no room for the disk',
    });
    expect(state.startTimestamp).toBeUndefined();
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    world.second.volumeFailure = undefined;
  });

  it('stays when the migration is aborted, and the target is as it was', async () => {
    world.begin(SLOWLY);
    await isSent();
    world.amend({ abortRequested: true });
    const state = await world.until(isOver);

    expect(state).toMatchObject({ failed: true, abortStatus: 'Succeeded', failureReason: 'the migration was aborted' });
    expect(world.instance.status?.nodeName).toBe('hv1');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    await nothingIsLeftOn(world.second);
  });

  it('arrives though the handler of the source is restarted on the way, and counts on without a gap', async () => {
    world.begin(SLOWLY);
    await isSent();
    await world.first.restartSource();
    world.amend({ migrationConfiguration: {} });
    const state = await world.until((each) => isOver(each) && each.targetNodeDomainDetected === true);

    expect(state).not.toHaveProperty('failed');
    expect(state).toMatchObject({ targetNodeAddress: world.second.host.address, endTimestamp: expect.any(String) });
    expect(world.instance.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'hv2' });
    expect(world.instance.status).toMatchObject({ nodeName: 'hv2' });
    expect([
      await whereaboutsOn(world.first, world.instance),
      await whereaboutsOn(world.second, world.instance),
    ]).toEqual(['absent', 'running']);
    expect(world.second.adopted).toHaveLength(1);
    await tickGoesOn();
    expect(await ticks()).toEqual((await ticks()).map((_, index) => index));
  });

  it('is persistent where it arrived, with the same address', async () => {
    const session = sessionOf(world.second);
    const domain = await session.domainLookupByName({ name: 'default_guest' });

    expect(await session.domainIsPersistent({ domain })).toBe(1);
    expect(await session.domainGetXmlDesc({ domain })).toContain("<mac address='52:54:00:5a:17:01'/>");
  });

  it('may go back at once: nothing is left of what it was there before', async () => {
    world.begin();
    await world.until(isOver);
    world.begin();
    const state = await world.until((each) => isOver(each) && each.targetNodeDomainDetected === true);

    expect(state).not.toHaveProperty('failed');
    expect(world.instance.status?.nodeName).toBe('hv2');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    await tickGoesOn();
  });

  it('stays when the target loses its power while the disk is sent', async () => {
    world.begin(SLOWLY);
    await isSent();
    await world.crash(world.first);
    const state = await world.until(isOver);

    expect(state).toMatchObject({ failed: true, failureReason: expect.stringContaining('was lost') });
    expect(world.instance.status?.nodeName).toBe('hv2');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    await tickGoesOn();
  });

  it('has on its disk what was written before it left and on its way', async () => {
    const session = sessionOf(world.second);
    const written = [...(await world.console.text()).matchAll(/^wrote (\d+)/gmu)].length;
    await session.domainDestroy({ domain: await session.domainLookupByName({ name: 'default_guest' }) });

    const disk = await world.second.makeDisk(world.instance);
    const checks = ['-c', `read -q -P 0 0 ${written}M`, '-c', 'read -q -P 90 60M 1M', '-c', 'read -v 62M 8'];
    const said = await world.second.host.exec(['qemu-io', '-r', '-f', 'qcow2', ...checks, disk]);

    expect(written).toBeGreaterThan(2);
    expect(said).not.toContain('failed');
    expect(said).toContain('basebase');
  });

  /** Blocks of the disk are on their way when libvirt counts them; the disk goes before the memory. */
  async function isSent(): Promise<void> {
    await world.until(({ mode }) => mode === 'PreCopy');
  }

  async function tickGoesOn(): Promise<void> {
    await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
  }

  async function ticks(): Promise<readonly number[]> {
    return Array.from((await world.console.text()).matchAll(/^tick (\d+)\r?\n/gmu), ([, count]) => Number(count));
  }

  async function nothingIsLeftOn(node: MigrationNode): Promise<void> {
    expect(await whereaboutsOn(node, world.instance)).toBe('absent');
    await world.settled();
    expect([...node.connected]).toEqual([]);
    await expect(access(node.directories.pathOf(world.instance))).rejects.toThrow('ENOENT');
  }
});

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
