import { readPins } from '@smalt/domain-xml';
import { DomainXmlFlags } from '@smalt/libvirt';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cpuMap } from '../sync/start/pin-again.ts';
import { sessionOf, whereaboutsOn, type MigrationNode } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

const LIVE_AND_NEXT = 3;

describe.runIf(availableParallelism() > 1)('a guest with processors of its own', { timeout: 60_000 }, () => {
  let world: MigrationWorld;

  beforeAll(async () => {
    world = await MigrationWorld.open({ words: ['tick'], ownProcessors: { hv1: [0], hv2: [1] } });
    await world.console.waitFor(/^tick 2/m);
    const { session, domain } = await guestOn(world.first);
    const pin = { domain, cpuMap: cpuMap([0]), flags: LIVE_AND_NEXT };
    await session.domainPinVcpuFlags({ ...pin, vcpu: 0 });
    await session.domainPinEmulator(pin);
  }, 60_000);

  afterAll(async () => world[Symbol.asyncDispose]());

  it('stays, with the reason, when the target tells in other words where those are', async () => {
    world.silence(world.second);
    world.begin();
    world.amend({ targetNodeAddress: world.second.host.address, targetCPUSet: [1], targetNodeTopology: '{' });
    const state = await world.until((each) => each.completed === true);
    world.revive(world.second);

    const failureReason = expect.stringContaining('does not say which processors it has set aside');
    expect(state).toMatchObject({ failed: true, failureReason });
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
  });

  it('runs at the target on those that were set aside there, and starts on them next time', async () => {
    world.begin();
    const state = await world.until((each) => each.completed === true && each.targetNodeDomainDetected === true);

    expect(state).not.toHaveProperty('failed');
    expect(state.targetCPUSet).toEqual([1]);
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    const pins = { processors: [{ virtual: 0, cpus: [1] }], emulator: [1], ioThreads: [] };
    expect(await pinsOn(world.second, 0)).toEqual(pins);
    expect(await pinsOn(world.second, DomainXmlFlags.inactive)).toEqual(pins);
    await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
  });
});

async function guestOn(node: MigrationNode) {
  const session = sessionOf(node);
  return { session, domain: await session.domainLookupByName({ name: 'default_guest' }) };
}

async function pinsOn(node: MigrationNode, flags: number) {
  const { session, domain } = await guestOn(node);
  return readPins(await session.domainGetXmlDesc({ domain, flags }));
}
