import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CuttingProxy } from './fixtures/cutting-proxy.ts';
import { whereaboutsOn } from './fixtures/migration-node.ts';
import { MigrationWorld } from './fixtures/migration-world.ts';

// One guest lives through all of it in this order.
describe('a migration whose end nobody hears of', { timeout: 120_000 }, () => {
  const owned = new AsyncDisposableStack();
  const proxies = new Map<string, CuttingProxy>();
  let world: MigrationWorld;

  beforeAll(async () => {
    world = await MigrationWorld.open({
      words: ['tick'],
      between: async (host) => {
        const proxy = owned.use(await CuttingProxy.open(host.address));
        proxies.set(host.name, proxy);
        return proxy.address;
      },
    });
    owned.use(world);
    await world.console.waitFor(/^tick 2/m);
  }, 120_000);

  afterAll(() => owned.disposeAsync());

  it('leaves the guest paused and says so, and lets it go on when the target says that it is not there', async () => {
    proxyOf('hv2').loses = 'call';
    world.begin();

    const doubtful = await world.until(({ failureReason }) => failureReason !== undefined);
    expect(doubtful.completed).toBeUndefined();
    expect(doubtful.failureReason).toContain('Nobody can tell whether it runs at the target, so it stands still here');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('held');
    expect(world.first.source.isBusy(world.instance)).toBe(true);

    proxyOf('hv2').heal();
    const state = await world.until(isOver);
    expect(state).toMatchObject({ failed: true });
    expect(await whereaboutsOn(world.first, world.instance)).toBe('running');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('absent');
    await tickGoesOn();
  });

  it('ends the guest at the source when the handler of the target has seen it run there', async () => {
    proxyOf('hv2').loses = 'answer';
    world.begin();

    const state = await world.until((each) => isOver(each) && each.targetNodeDomainDetected === true);

    expect(state).not.toHaveProperty('failed');
    expect(world.instance.status?.nodeName).toBe('hv2');
    expect(await whereaboutsOn(world.first, world.instance)).toBe('absent');
    expect(await whereaboutsOn(world.second, world.instance)).toBe('running');
    await tickGoesOn();
  });

  function proxyOf(node: string): CuttingProxy {
    const proxy = proxies.get(node);
    if (proxy === undefined) throw new Error(`no proxy for ${node}`);
    return proxy;
  }

  async function tickGoesOn(): Promise<void> {
    await world.console.waitFor(/tick \d+/, { from: (await world.console.text()).length });
  }
});

function isOver({ completed }: VirtualMachineInstanceMigrationState): boolean {
  return completed === true;
}
