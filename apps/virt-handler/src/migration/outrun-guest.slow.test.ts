import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { CuttingProxy } from './fixtures/cutting-proxy.ts';
import { sessionOf, whereaboutsOn } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

const TIMEOUT = { timeout: 120_000 };

it(
  'does not go on at the source when the target may have run it until that was proven to be off',
  TIMEOUT,
  async () => {
    await using bed = await openBed();
    const { world, off } = bed;
    await bed.loseAnswer();
    await world.crash(world.second);
    const unproven = await whereaboutsOn(world.first, world.instance);
    off.add('hv2');

    const state = await world.until(isOver);

    expect(unproven).toBe('held');
    expect(state).toMatchObject({ failed: true, failureReason: expect.stringContaining('may have run at the target') });
    expect(world.instance.status?.nodeName).toBe('hv1');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    const record = await world.first.directories.read(world.instance.metadata.uid ?? '');
    expect(record?.verdict).toMatchObject({ reason: 'LostInMigration', message: state.failureReason });
  },
);

it('does not go on at the source when it has ended at the target, which tells how', TIMEOUT, async () => {
  await using bed = await openBed();
  const { world } = bed;
  await bed.loseAnswer();
  const there = sessionOf(world.second);
  await there.domainDestroy({ domain: await there.domainLookupByName({ name: 'default_guest' }) });
  bed.heal();

  const state = await world.until(isOver);

  expect(state).not.toHaveProperty('failed');
  expect(world.instance.status?.nodeName).toBe('hv2');
  expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
  expect(await whereaboutsOn(world.second, world.instance)).toBe('off');
});

interface Bed extends AsyncDisposable {
  readonly world: MigrationWorld;
  /** The nodes that are proven to be off. */
  readonly off: Set<string>;
  /** Sends the guest. It runs at the target, which nobody hears of; the handler there is dead. */
  loseAnswer(): Promise<void>;
  heal(): void;
}

async function openBed(): Promise<Bed> {
  await using owned = new AsyncDisposableStack();
  const proxies: CuttingProxy[] = [];
  const off = new Set<string>();
  const world = owned.use(
    await MigrationWorld.open({
      words: ['tick'],
      between: async (host) => {
        const proxy = owned.use(await CuttingProxy.open(host.address));
        proxies.push(proxy);
        return proxy.address;
      },
      isProvenOff: async (nodeName) => off.has(nodeName),
    }),
  );
  await world.console.waitFor(/^tick 2/m);
  const moved = owned.move();
  return {
    world,
    off,
    loseAnswer: async () => {
      for (const proxy of proxies) proxy.loses = 'answer';
      world.begin();
      await world.until(({ startTimestamp }) => startTimestamp !== undefined);
      world.silence(world.second);
      await world.until(({ failureReason }) => failureReason !== undefined);
      expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    },
    heal: () => {
      for (const proxy of proxies) proxy.heal();
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
