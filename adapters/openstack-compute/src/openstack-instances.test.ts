import { describe, expect, it } from 'vitest';

import { hostOf, startSimulatedWorld } from './fixtures/simulated-world.ts';

const signal = new AbortController().signal;

describe('instances', () => {
  it('that are deleted but can be restored are listed, as they keep their host from being removed', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1', { status: 'SOFT_DELETED' });

    const listed = await compute.instances.list(node1, signal);
    const outcome = await compute.hosts.deregister(node1, signal);

    expect(listed).toMatchObject([{ id, state: 'deleting', stateText: 'SOFT_DELETED' }]);
    expect(outcome).toMatchObject({ kind: 'blocked' });
  });

  it('find hosts of their zone however many there are of others', async () => {
    const others = Array.from({ length: 5 }, (_, index) => ({ name: `other${index}`, zone: 'az2' }));
    const hosts = [...others, { name: 'node1', zone: 'az1' }, { name: 'node2', zone: 'az1' }];
    await using world = await startSimulatedWorld(hosts, { settings: { mostTargets: 3 } });
    const { cloud, compute } = world;
    cloud.addServer('node1');

    const [instance] = await compute.instances.list(await hostOf(compute, 'node1'), signal);

    expect(instance && (await compute.instances.targets(instance, signal))).toMatchObject([{ name: 'node2' }]);
  });

  it('are not said to have no target when more hosts have room than are looked at', async () => {
    const hosts = ['down0', 'down1', 'down2'].map((name) => ({ name, isUp: false }));
    await using world = await startSimulatedWorld([...hosts, 'node1', 'node2'], {
      settings: { mostTargets: 3, listingMs: 0 },
    });
    const { cloud, compute } = world;
    cloud.addServer('node1');
    const [instance] = await compute.instances.list(await hostOf(compute, 'node1'), signal);

    const cut = instance && (await compute.instances.targets(instance, signal));
    cloud.removeHost('down0');
    cloud.removeHost('node2');
    cloud.changeHost('node1', { status: 'disabled' });
    const whole = instance && (await compute.instances.targets(instance, signal));

    expect([cut, whole]).toEqual([undefined, []]);
  });
});
