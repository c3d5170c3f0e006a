import { startSimulatedOpenStack, type SimulatedHost, type SimulatedOpenStack } from '@smalt/bed-openstack-simulator';
import type { Compute, ComputeHost } from '@smalt/compute';
import { loadCloudConfig, Secret } from '@smalt/openstack';
import { afterEach, describe, expect, it } from 'vitest';

import { openOpenStackCompute } from './open-openstack-compute.ts';
import { defaultOpenStackComputeSettings, type OpenStackComputeSettings } from './openstack-compute-settings.ts';

const signal = new AbortController().signal;
const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

describe('hosts', () => {
  it('cost two calls, however many are looked for at once', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `node${index}`);
    const { cloud, compute } = await given(names);

    const found = await Promise.all(names.map((name) => compute.hosts.find(name, signal)));
    await Promise.all(found.map(async (host) => host && (await compute.hosts.get(host, signal))));

    expect(found.map((host) => host?.name)).toEqual(names);
    expect(cloud.countOf(/compute GET \/os-/)).toBe(2);
  });

  it('whose service has another name are asked for it, once', async () => {
    const { cloud, compute } = await given([
      { name: 'node1.example.org', serviceHost: 'node1' },
      { name: 'node10.example.org', serviceHost: 'node10' },
    ]);
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
    const { cloud, compute } = await given(['node1', 'node2'], { settings: { listingMs: 0 } });
    const node1 = await hostOf(compute, 'node1');
    await compute.instances.list(node1, signal);
    cloud.forgetCalls();

    await compute.instances.list(node1, signal);
    await compute.moves.list(node1, new Date(), signal);

    expect(cloud.counts()).toEqual({ 'compute GET /servers/detail': 1, 'compute GET /os-migrations': 2 });
  });

  it('that go by the same name are refused by their names', async () => {
    const { compute } = await given(['node1.example.org', 'node1.example.com']);

    await expect(compute.hosts.find('node1', signal)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/node1\.example\.org .*node1\.example\.com /),
    });
    expect(await compute.hosts.find('node1.example.com', signal)).toMatchObject({ name: 'node1.example.com' });
  });

  it('are found once they are there, though they were looked for before', async () => {
    const { cloud, compute } = await given(['node1'], { settings: { listingMs: 0 } });

    const before = await compute.hosts.find('node2', signal);
    cloud.addHost('node2');
    const after = await compute.hosts.find('node2', signal);

    expect([before, after]).toMatchObject([undefined, { name: 'node2' }]);
  });

  it('are not said to be gone while Nova cannot tell', async () => {
    const { cloud, compute } = await given(['node1']);
    const node1 = await hostOf(compute, 'node1');
    cloud.removeHost('node1');
    await compute.hosts.find('node1', signal);

    using _fault = cloud.inject({ service: 'compute', method: 'GET', effect: { kind: 'answer', status: 500 } });
    const stranger = { ...node1, hypervisorId: crypto.randomUUID() };

    await expect(compute.hosts.get(stranger, signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that were registered anew under the same id are not removed', async () => {
    const { cloud, compute } = await given(['node1']);
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
    const { cloud, compute } = await given(['node1', 'node10']);
    const node1 = await hostOf(compute, 'node1');

    const fault = cloud.inject({ method, path, effect: { kind: 'answer', status: 500 } });
    await expect(compute.hosts.deregister(node1, signal)).rejects.toMatchObject({ code, message });
    fault.clear();
    const outcome = await compute.hosts.deregister(node1, signal);

    expect(outcome).toEqual({ kind: 'done' });
    expect(cloud.hosts().map(({ name }) => name)).toEqual(['node10']);
  });

  it('are blocked by what is still on them, and by what Nova finds', async () => {
    const { cloud, compute } = await given(['node1']);
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
    const { cloud, compute } = await given(['node1', 'node2'], { attempts: 5 });
    const id = cloud.addServer('node1');

    const fault = cloud.inject({ method: 'POST', path: /action$/, effect });
    const error: unknown = await compute.moves.startLive(id, signal).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code, message: expect.stringContaining('POST /servers/{server}/action') });
    expect(error).toMatchObject({ retryAfterMs: code === 'unavailable' ? 60_000 : undefined });
    expect(fault.hits).toBe(1);
  });

  it('are listed when they have just been asked for, and an old one is not in their way', async () => {
    const { cloud, compute } = await given(['node1', 'node2']);
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
    const { cloud, compute } = await given(['node1', 'node2'], { attempts: 5 });
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
    const { cloud, compute } = await given(['node1', 'node2']);
    const id = cloud.addServer('node1', { status: 'VERIFY_RESIZE' });
    const running = cloud.addServer('node1');

    using _fault = cloud.inject({ body: 'confirmResize', effect: { kind: 'answer', status: 409 } });

    await expect(compute.moves.confirm(id, signal)).rejects.toMatchObject({ code: 'conflict' });
    await compute.moves.confirm(running, signal);
  });
});

describe('shared listings', () => {
  it('go on after the token has expired', async () => {
    const { cloud, compute } = await given(['node1'], { settings: { listingMs: 0 } });
    await hostOf(compute, 'node1');

    cloud.expireTokens();

    expect(await compute.hosts.find('node1', signal)).toMatchObject({ name: 'node1' });
  });

  it('end with the compute system', async () => {
    const { cloud, compute } = await given(['node1']);
    cloud.inject({ path: '/os-services', effect: { kind: 'hang' } });

    const waiting = compute.hosts.find('node1', signal).catch((error: unknown) => error);
    await compute[Symbol.asyncDispose]();

    expect(await waiting).toMatchObject({ code: 'aborted' });
  });

  it('cost one call for the aggregates of many hosts, and know of own changes', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `node${index}`);
    const { cloud, compute } = await given(names);
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
    const { compute } = await given(['node1'], { smokeTest });
    const host = await hostOf(compute, 'node1');

    const started = compute.smokeTests.start({ name: 'test', host, zone: 'nova' }, signal);

    await expect(started).rejects.toMatchObject({ code: 'refused', message });
  });

  it('boot from a volume of the wanted type, in the zone of the host, without a network if so wanted', async () => {
    const { cloud, compute } = await given(['node1'], { smokeTest: { network: { kind: 'none' } } });
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
          { boot_index: 0, volume_size: 64, volume_type: 'premium', delete_on_termination: true },
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

interface World {
  readonly cloud: SimulatedOpenStack;
  readonly compute: Compute & AsyncDisposable;
}

interface WorldOptions {
  readonly settings?: Partial<OpenStackComputeSettings>;
  readonly smokeTest?: Partial<OpenStackComputeSettings['smokeTest']>;
  /** How often a request is tried; once by default. */
  readonly attempts?: number;
}

async function given(hosts: readonly (string | SimulatedHost)[], options: WorldOptions = {}): Promise<World> {
  const cloud = await startSimulatedOpenStack({ hosts });
  open.push(cloud);
  const config = await loadCloudConfig({ environment: cloud.environment() });
  const standard = defaultOpenStackComputeSettings;
  const smokeTest = { ...standard.smokeTest, ...options.smokeTest };
  const compute = openOpenStackCompute({
    config,
    userAgent: 'test/1',
    maxAttempts: options.attempts ?? 1,
    settings: { ...standard, ...options.settings, smokeTest },
  });
  open.push(compute);
  return { cloud, compute };
}

async function hostOf(compute: Compute, name: string): Promise<ComputeHost> {
  const found = await compute.hosts.find(name, signal);
  if (found === undefined) throw new Error(`there is no host ${name}`);
  return found;
}
