import { Secret } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { hostOf, startSimulatedWorld } from './fixtures/simulated-world.ts';
import { openOpenStackCompute } from './open-openstack-compute.ts';
import { defaultOpenStackComputeSettings, type OpenStackComputeSettings } from './openstack-compute-settings.ts';

const signal = new AbortController().signal;

describe('moves', () => {
  it.each([
    [{ kind: 'answer', status: 503 }, 'unknown-fate'],
    [{ kind: 'answer', status: 500, when: 'after' }, 'unknown-fate'],
    [{ kind: 'drop', when: 'after' }, 'unknown-fate'],
    [{ kind: 'answer', status: 409 }, 'conflict'],
    [{ kind: 'answer', status: 404 }, 'not-found'],
    [{ kind: 'answer', status: 400, message: 'No valid host was found.' }, 'no-target'],
    [{ kind: 'answer', status: 403 }, 'refused'],
    [{ kind: 'answer', status: 429, retryAfterSeconds: 60 }, 'unavailable'],
  ] as const)('that are answered by %j are %s, and not asked for twice', async (effect, code) => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { attempts: 5 });
    const { cloud, compute } = world;
    const id = cloud.addServer('node1');

    const fault = cloud.inject({ method: 'POST', path: /action$/, effect });
    const error: unknown = await compute.moves.startLive(id, signal).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code, message: expect.stringContaining('POST /servers/{server}/action') });
    expect(error).toMatchObject({ retryAfterMs: code === 'unavailable' ? 60_000 : undefined });
    expect(fault.hits).toBe(1);
  });

  it('are listed when they have just been asked for, and an old one is not in their way', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1', { behaviour: { liveMigration: 'stuck' } });
    const since = new Date();

    await compute.moves.startLive(id, signal);
    const listed = await compute.moves.list(node1, since, signal);
    const later = await compute.moves.list(node1, new Date(Date.now() + 3_600_000), signal);

    expect(listed).toMatchObject([{ instanceId: id, isLive: true, sourceName: 'node1' }]);
    expect(later).toEqual([]);
  });

  it('of a host of which Nova serves a page twice are not known, rather than wrong', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { attempts: 5 });
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const since = new Date(Date.now() - 60_000);
    const ids = Array.from({ length: 101 }, () => cloud.addServer('node1'));
    for (const id of ids) await compute.moves.startLive(id, signal);

    const all = await compute.moves.list(node1, since, signal);
    using _fault = cloud.inject({ path: '/os-migrations', effect: { kind: 'page-twice' } });
    const twice = compute.moves.list(node1, since, signal);

    await expect(twice).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('twice') });
    expect(all).toHaveLength(101);
  });

  it('that Nova will not confirm although they wait are an error', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const id = cloud.addServer('node1', { status: 'VERIFY_RESIZE' });
    const running = cloud.addServer('node1');

    using _fault = cloud.inject({ body: 'confirmResize', effect: { kind: 'answer', status: 409 } });

    await expect(compute.moves.confirm(id, signal)).rejects.toMatchObject({ code: 'conflict' });
    await compute.moves.confirm(running, signal);
  });
});

describe('shared listings', () => {
  it('go on after the token has expired', async () => {
    await using world = await startSimulatedWorld(['node1'], { settings: { listingMs: 0 } });
    const { cloud, compute } = world;
    await hostOf(compute, 'node1');

    cloud.expireTokens();

    expect(await compute.hosts.find('node1', signal)).toMatchObject({ name: 'node1' });
  });

  it('end with the compute system', async () => {
    await using world = await startSimulatedWorld(['node1']);
    const { cloud, compute } = world;
    cloud.inject({ path: '/os-services', effect: { kind: 'hang' } });

    const waiting = compute.hosts.find('node1', signal).catch((error: unknown) => error);
    await compute[Symbol.asyncDispose]();

    expect(await waiting).toMatchObject({ code: 'aborted' });
  });

  it('cost one call for the aggregates of many hosts, and know of own changes', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `node${index}`);
    await using world = await startSimulatedWorld(names);
    const { cloud, compute } = world;
    cloud.addAggregate('blue');
    const hosts = await Promise.all(names.map((name) => hostOf(compute, name)));

    const [before] = await Promise.all(hosts.map((host) => compute.aggregates.membership(host, signal)));
    const blue = before?.known.find(({ name }) => name === 'blue');
    if (blue === undefined) throw new Error('there is no aggregate blue');
    await Promise.all(hosts.map((host) => compute.aggregates.join(host, blue, signal)));
    const after = await Promise.all(hosts.map((host) => compute.aggregates.membership(host, signal)));

    expect(after.every(({ joined }) => joined.has(blue.id))).toBe(true);
    expect(cloud.countOf('compute GET /os-aggregates')).toBe(1);
    expect(cloud.countOf(/POST \/os-aggregates/)).toBe(50);
  });
});

describe('test instances', () => {
  it.each<readonly [Partial<OpenStackComputeSettings['smokeTest']>, RegExp]>([
    [{ image: 'nothing' }, /^smokeTest\.image: .*nothing/],
    [{ flavor: 'nothing' }, /^smokeTest\.flavor: .*nothing/],
    [{ network: { kind: 'named', nameOrId: 'nothing' } }, /^smokeTest\.network: .*nothing/],
  ])('made of %j say what is missing', async (smokeTest, message) => {
    await using world = await startSimulatedWorld(['node1'], { smokeTest });
    const { compute } = world;
    const host = await hostOf(compute, 'node1');

    const started = compute.smokeTests.start({ name: 'test', host, zone: 'nova' }, signal);

    await expect(started).rejects.toMatchObject({ code: 'refused', message });
  });

  it('boot from a volume of the wanted type, in the zone of the host, without a network if so wanted', async () => {
    await using world = await startSimulatedWorld(['node1'], { smokeTest: { network: { kind: 'none' } } });
    const { cloud, compute } = world;
    const host = await hostOf(compute, 'node1');

    await compute.smokeTests.start({ name: 'test', host, zone: 'nova' }, signal).catch(() => undefined);

    const created = cloud.calls.find(({ method, path }) => method === 'POST' && path === '/servers');
    expect(JSON.parse(created?.body ?? '{}')).toMatchObject({
      server: {
        name: 'test',
        availability_zone: 'nova:node1',
        networks: 'none',
        imageRef: '',
        block_device_mapping_v2: [
          { boot_index: 0, volume_size: 64, volume_type: 'premium', delete_on_termination: true, disk_bus: 'virtio' },
        ],
      },
    });
  });

  it('cannot be in another project than that of an application credential', async () => {
    const config = {
      authUrl: 'http://127.0.0.1:1/v3',
      identity: { kind: 'application-credential', credential: { id: 'a' }, secret: new Secret('s') },
      scope: { kind: 'none' },
      interface: 'public',
      tls: { isInsecure: false },
    } as const;
    const settings = defaultOpenStackComputeSettings;

    expect(() => openOpenStackCompute({ config, userAgent: 'test/1', settings })).toThrow(/^smokeTest\.project: /);
    await using compute = openOpenStackCompute({
      config,
      userAgent: 'test/1',
      settings: { ...settings, smokeTest: { ...settings.smokeTest, project: undefined } },
    });
    expect(compute.hosts).toBeDefined();
  });
});
