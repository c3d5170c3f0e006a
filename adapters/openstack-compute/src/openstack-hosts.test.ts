import { reasonAsKept } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { hostOf, startSimulatedWorld } from './fixtures/simulated-world.ts';

const signal = new AbortController().signal;

describe('hosts', () => {
  it('cost two calls, however many are looked for at once', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `node${index}`);
    await using world = await startSimulatedWorld(names, { settings: { listingMs: 600_000 } });
    const { cloud, compute } = world;

    const found = await Promise.all(names.map((name) => compute.hosts.find(name, signal)));
    await Promise.all(found.map(async (host) => host && (await compute.hosts.get(host, signal))));

    expect(found.map((host) => host?.name)).toEqual(names);
    expect(cloud.countOf(/compute GET \/os-/)).toBe(2);
  });

  it('whose service has another name are asked for it, once', async () => {
    await using world = await startSimulatedWorld([
      { name: 'node1.example.org', serviceHost: 'node1' },
      { name: 'node10.example.org', serviceHost: 'node10' },
    ]);
    const { cloud, compute } = world;
    const id = cloud.addServer('node1.example.org', { name: 'one' });

    const node1 = await hostOf(compute, 'node1');
    const again = await compute.hosts.find('node1.example.org', signal);
    const instances = await compute.instances.list(node1, signal);

    expect(node1).toMatchObject({ name: 'node1.example.org', serviceId: cloud.host('node1.example.org')?.serviceId });
    expect(again).toEqual(node1);
    expect(instances).toMatchObject([{ id, hostName: 'node1' }]);
    expect(cloud.countOf(/compute GET \/os-hypervisors\/./)).toBe(1);
    const [instance] = instances;
    expect(instance && (await compute.instances.targets(instance, signal))).toMatchObject([
      { name: 'node10.example.org' },
    ]);
  });

  it('that are known cost no listing when their instances are looked at', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { settings: { listingMs: 0 } });
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    cloud.addServer('node1');
    await compute.instances.list(node1, signal);
    cloud.forgetCalls();

    await compute.instances.list(node1, signal);
    await compute.moves.list(node1, new Date(), signal);

    // One service by its name: Nova is asked whether there are no moves, or only none that it can tell of.
    expect(cloud.counts()).toEqual({
      'compute GET /servers/detail': 1,
      'compute GET /os-migrations': 2,
      'compute GET /os-services': 1,
    });
    expect(cloud.calls.find(({ path }) => path === '/os-services')?.query).toContain('host=node1');
  });

  it('that go by the same name are refused by their names', async () => {
    await using world = await startSimulatedWorld(['node1.example.org', 'node1.example.com']);
    const { compute } = world;

    await expect(compute.hosts.find('node1', signal)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/node1\.example\.org .*node1\.example\.com /),
    });
    expect(await compute.hosts.find('node1.example.com', signal)).toMatchObject({ name: 'node1.example.com' });
  });

  it('are found by their exact name before any for which it stands', async () => {
    await using world = await startSimulatedWorld([
      'node1',
      'node1.dc2',
      { name: 'node2.dc2', serviceHost: 'node2' },
      'node2.dc3',
      'node3.dc2',
    ]);
    const { compute } = world;

    const found = await Promise.all(
      ['node1', 'node1.dc2', 'node2', 'node3', 'node3.dc2'].map((name) => compute.hosts.find(name, signal)),
    );

    expect(found.map((host) => `${host?.name} ${host?.isExact}`)).toEqual([
      'node1 true',
      'node1.dc2 true',
      'node2.dc2 true',
      'node3.dc2 false',
      'node3.dc2 true',
    ]);
  });

  it('that were removed a moment ago are not found', async () => {
    await using world = await startSimulatedWorld(['node1', { name: 'node2.dc2', serviceHost: 'node2' }], {
      settings: { listingMs: 600_000 },
    });
    const { cloud, compute } = world;

    await compute.hosts.deregister(await hostOf(compute, 'node1'), signal);
    cloud.removeHost('node2.dc2');

    expect(await compute.hosts.find('node1', signal)).toBeUndefined();
    expect(await compute.hosts.find('node2.dc2', signal)).toBeUndefined();
  });

  it('of a cell that cannot be reached are not said to be gone, and keep nobody from the others', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { settings: { listingMs: 0 } });
    const { cloud, compute } = world;
    const [node1, node2] = [await hostOf(compute, 'node1'), await hostOf(compute, 'node2')];
    const { isExact: _isExact, ...rest } = node2;

    cloud.changeHost('node1', { isReachable: false });

    expect(await compute.hosts.get(node2, signal)).toEqual(rest);
    expect(await compute.hosts.find('node2', signal)).toEqual(node2);
    expect(await compute.hosts.find('node3', signal)).toBeUndefined();
    await expect(compute.hosts.find('node1', signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the cell of node1 cannot be reached'),
    });
    await expect(compute.hosts.get(node1, signal)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(compute.aggregates.membership(node1, signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are disabled for any reason', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const reason = `\u{1F525} fire\n${'x'.repeat(300)}`;

    await compute.hosts.disable(node1, reason, signal);
    const disabled = cloud.host('node1');
    await compute.hosts.disable(node1, ' ', signal);

    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: reasonAsKept(reason) });
    expect(cloud.host('node1')).toMatchObject({ status: 'disabled', disabledReason: undefined });
  });

  it('are found once they are there, though they were looked for before', async () => {
    await using world = await startSimulatedWorld(['node1'], { settings: { listingMs: 0 } });
    const { cloud, compute } = world;

    const before = await compute.hosts.find('node2', signal);
    cloud.addHost('node2');
    const after = await compute.hosts.find('node2', signal);

    expect([before, after]).toMatchObject([undefined, { name: 'node2' }]);
  });

  it('are not said to be gone while Nova cannot tell', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    cloud.removeHost('node1');
    await compute.hosts.find('node1', signal);

    using _fault = cloud.inject({ service: 'compute', method: 'GET', effect: { kind: 'answer', status: 500 } });
    const stranger = { ...node1, hypervisorId: crypto.randomUUID() };

    await expect(compute.hosts.get(stranger, signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that were registered anew under the same id are not removed', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');

    const outcome = await compute.hosts.deregister({ ...node1, serviceId: crypto.randomUUID() }, signal);

    expect(outcome).toEqual({ kind: 'blocked', message: expect.stringContaining('its agent has registered it again') });
    expect(cloud.host('node1')).toBeDefined();
    expect(cloud.countOf(/DELETE/)).toBe(0);
  });

  it.each([
    [/^\/os-hypervisors\/./, 'GET', 'unavailable', /^cannot get hypervisor .* due to compute: GET/],
    [/^\/os-services\/./, 'DELETE', 'unknown-fate', /^cannot delete service .* due to compute: DELETE/],
    [/^\/resource_providers\/[^/]*$/, 'GET', 'unavailable', /^cannot get resource provider: placement: GET/],
  ] as const)('whose removal fails at %s are removed by the next attempt', async (path, method, code, message) => {
    await using world = await startSimulatedWorld(['node1', 'node10']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');

    const fault = cloud.inject({ method, path, effect: { kind: 'answer', status: 500 } });
    await expect(compute.hosts.deregister(node1, signal)).rejects.toMatchObject({ code, message });
    fault.clear();
    const outcome = await compute.hosts.deregister(node1, signal);

    expect(outcome).toEqual({ kind: 'done' });
    expect(cloud.hosts().map(({ name }) => name)).toEqual(['node10']);
  });

  it('are blocked by what is still on them, and by what Nova finds', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const effect = {
      kind: 'answer',
      status: 409,
      message: 'Unable to delete compute service that is hosting instances.',
    } as const;

    const id = cloud.addServer('node1', { status: 'SHUTOFF' });
    const full = await compute.hosts.deregister(node1, signal);
    cloud.removeServer(id);
    cloud.inject({ method: 'DELETE', path: /^\/os-services\/./, times: 1, effect });
    const refused = await compute.hosts.deregister(node1, signal);

    expect(full).toMatchObject({
      kind: 'blocked',
      message: expect.stringMatching(/^Hypervisor is being offboarded, but still has 1 /),
    });
    expect(refused).toMatchObject({
      kind: 'blocked',
      message: expect.stringMatching(/^cannot delete service .* due to .*hosting instances/),
    });
    expect(await compute.hosts.deregister(node1, signal)).toEqual({ kind: 'done' });
  });
});
