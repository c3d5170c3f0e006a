import { describe, expect, it, vi } from 'vitest';

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

  it('of a cell that cannot be reached are not known, rather than none, nor are their moves', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1');
    await compute.instances.list(node1, signal);

    cloud.changeHost('node1', { isReachable: false });
    const lost = { code: 'unavailable', message: expect.stringContaining('the cell of node1 cannot be reached') };

    await expect(compute.instances.list(node1, signal)).rejects.toMatchObject(lost);
    await expect(compute.moves.list(node1, new Date(), signal)).rejects.toMatchObject(lost);
    expect(await compute.instances.get(id, signal)).toMatchObject({ state: 'busy', hostName: undefined });
  });

  it('that one query did not see are not taken for gone', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const [node1, node2] = [await hostOf(compute, 'node1'), await hostOf(compute, 'node2')];
    const id = cloud.addServer('node1');
    cloud.inject({ path: '/servers/detail', times: 1, effect: { kind: 'cells-away' } });

    await expect(compute.instances.list(node1, signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(id),
    });
    expect(await compute.instances.list(node1, signal)).toMatchObject([{ id }]);
    expect(await compute.instances.list(node2, signal)).toEqual([]);
  });

  it('are meant to run unless somebody has stopped them, whatever their guests do', async () => {
    await using world = await startSimulatedWorld(['node1'], {});
    const { cloud, compute } = world;
    const [runs, crashed, noticed, stopped] = Array.from({ length: 4 }, () => cloud.addServer('node1'));
    cloud.stopGuest(crashed ?? '');
    cloud.stopGuest(noticed ?? '', { isNoticed: true });
    await world.client.compute.actions.stop(stopped ?? '');

    const found = await Promise.all(
      [runs, crashed, noticed, stopped].map((id) => compute.instances.get(id ?? '', signal)),
    );
    const listed = await compute.instances.list(await hostOf(compute, 'node1'), signal);

    expect(found.map((each) => [each?.state, each?.guestState, each?.isMeantToRun])).toEqual([
      ['running', 'running', true],
      ['stopped', 'off', true],
      ['stopped', 'off', true],
      ['stopped', 'off', false],
    ]);
    expect(new Map(listed.map(({ id, isMeantToRun }) => [id, isMeantToRun])).get(noticed ?? '')).toBe(false);
  });

  it('tell what their owner and their flavor say of them', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const metadata = { HA_Enabled: 'true', priority: '7' };
    cloud.addServer('node1', { metadata, flavor: { extraSpecs: { 'ha:enabled': 'yes' } } });

    const listed = await compute.instances.list(await hostOf(compute, 'node1'), signal);

    expect(listed).toMatchObject([{ metadata, flavorProperties: { 'ha:enabled': 'yes' } }]);
  });

  it('are restarted where they are, once', async () => {
    await using world = await startSimulatedWorld(['node1'], { attempts: 5 });
    const { cloud, compute } = world;
    const id = cloud.addServer('node1', { status: 'ERROR' });
    const fault = cloud.inject({ body: 'reboot', times: 1, effect: { kind: 'drop', when: 'before' } });

    await expect(compute.instances.restart(id, signal)).rejects.toMatchObject({ code: 'unknown-fate' });
    await compute.instances.restart(id, signal);

    await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'ACTIVE', host: 'node1' }));
    expect(fault.hits).toBe(1);
    expect(cloud.countOf(/POST .*action$/)).toBe(2);
  });

  it('are put off, and stay so when they are off already', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const id = cloud.addServer('node1');

    await compute.instances.stop(id, signal);
    await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'SHUTOFF' }));

    await expect(compute.instances.stop(id, signal)).resolves.toBeUndefined();
    await expect(compute.instances.stop('no-such-server', signal)).rejects.toMatchObject({ code: 'not-found' });
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
