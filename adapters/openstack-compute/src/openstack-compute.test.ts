import { canRunOpenStack, type OpenStackCloud } from '@smalt/bed-openstack';
import { reasonAsKept, type Compute, type ComputeInstance, type ComputeMove } from '@smalt/compute';
import type { Exchange, OpenStackClient } from '@smalt/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CloudWorld, untilDefined } from './fixtures/cloud-world.ts';

const patient = { timeout: 120_000 } as const;
const signal = new AbortController().signal;
const CLASSES = ['DISK_GB', 'MEMORY_MB', 'VCPU'];

let world: CloudWorld;
let cloud: OpenStackCloud;
let client: OpenStackClient;
let compute: Compute;

describe.runIf(await canRunOpenStack())('the compute port on a real Nova', () => {
  beforeAll(async () => {
    // One name is the beginning of another.
    world = await CloudWorld.start(['node1', 'node10', 'node2']);
    ({ cloud, client, compute } = world);
  }, 240_000);

  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  it('finds a host by exactly its name, with one listing for all who ask', async () => {
    const names = ['node1', 'node10', 'node1.example.org', 'node', 'ode1', 'node1%'];
    const found = await Promise.all(names.map((name) => compute.hosts.find(name, signal)));

    const [node1, node10, full, ...none] = found;
    expect(node1).toMatchObject({ name: 'node1', isEnabled: true, isForcedDown: false, isUp: true });
    expect(node10).toMatchObject({ name: 'node10' });
    expect(full).toEqual({ ...node1, isExact: false });
    expect(none).toEqual([undefined, undefined, undefined]);
    expect(askedAbout(world.exchanges)).toEqual(['GET /os-hypervisors', 'GET /os-services']);
    const detail = await client.compute.hypervisors.findByHostname('node1');
    expect(node1).toMatchObject({ hypervisorId: detail?.id, serviceId: detail?.serviceId });
  });

  it('disables a host and enables it again, which everybody sees at once', async () => {
    const [node1, node10] = [await world.host('node1'), await world.host('node10')];
    const reason = `kernel \u{1F525}\u0007 update \uD83D ${'ü'.repeat(300)}`;

    await compute.hosts.disable(node1, reason, signal);
    const disabled = await compute.hosts.get(node1, signal);
    await client.compute.services.update(node1.serviceId, { isForcedDown: true });
    await compute.hosts.enable(node1, signal);
    const enabled = await compute.hosts.get(node1, signal);

    expect(disabled).toMatchObject({ isEnabled: false, disabledReason: reasonAsKept(reason) });
    expect(enabled).toEqual({ ...node1, isEnabled: true, disabledReason: undefined, isForcedDown: false, isUp: true });
    expect(await client.compute.services.findCompute('node1')).toMatchObject({
      status: 'enabled',
      isForcedDown: false,
    });
    expect(await compute.hosts.get(node10, signal)).toEqual(node10);
  });

  it('does not know a host whose ids nobody has', async () => {
    const stranger = { hypervisorId: crypto.randomUUID(), serviceId: crypto.randomUUID() };

    expect(await compute.hosts.get(stranger, signal)).toBeUndefined();
    await expect(compute.hosts.enable(stranger, signal)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/PUT \/os-services.*req-/),
    });
    await expect(compute.instances.list(stranger, signal)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('lists the instances of one host, and where else they could be', patient, async () => {
    const id = await world.makeServer('traveller', 'node1');

    const listed = await compute.instances.list(await world.host('node1'), signal);
    const targets = (await compute.instances.targets(only(listed), signal)) ?? [];
    await compute.hosts.disable(await world.host('node2'), 'test', signal);
    const fewer = await compute.instances.targets(only(listed), signal);
    await compute.hosts.enable(await world.host('node2'), signal);

    expect(listed).toMatchObject([
      { id, name: 'traveller', state: 'running', stateText: 'ACTIVE', hostName: 'node1', zone: 'nova', obstacles: [] },
    ]);
    expect(await compute.instances.list(await world.host('node10'), signal)).toEqual([]);
    expect(targets.map(({ name }) => name).toSorted()).toEqual(['node10', 'node2']);
    expect(targets.map(({ free }) => Object.keys(free).toSorted())).toEqual([CLASSES, CLASSES]);
    expect(targets.every(({ free }) => Object.values(free).every((amount) => amount > 0))).toBe(true);
    expect(fewer?.map(({ name }) => name)).toEqual(['node10']);
    expect(await compute.instances.targets({ ...only(listed), zone: 'elsewhere' }, signal)).toEqual([]);
    const huge = { ...only(listed), resources: { MEMORY_MB: 1 << 30 } };
    expect(await compute.instances.targets(huge, signal)).toEqual([]);
    expect(await compute.instances.get(crypto.randomUUID(), signal)).toBeUndefined();
    await world.removeServer(id);
  });

  it('moves an instance live, tells how far it is, and stops it', patient, async () => {
    const node1 = await world.host('node1');
    const [slow, next] = [await world.makeServer('slow', 'node1'), await world.makeServer('next', 'node1')];
    await cloud.compute('node1').setKnobs({ liveMigrationSeconds: 60 });

    await compute.moves.startLive(slow, signal);
    const running = await world.moveWith(node1, slow, ({ stateText }) => stateText === 'running');
    const progress = await untilDefined(async () => {
      const found = await compute.moves.progress(running, signal);
      return found !== undefined && found.totalBytes > 0 ? found : undefined;
    });
    await expect(compute.moves.startLive(slow, signal)).rejects.toMatchObject({ code: 'conflict' });
    // One host moves one guest at a time.
    await compute.moves.startLive(next, signal);
    const queued = await world.moveWith(node1, next, ({ stateText }) => stateText === 'queued');
    await compute.moves.abort(queued, signal);
    await compute.moves.abort(running, signal);
    const over = await world.moveWith(node1, slow, ({ state }) => state === 'aborted');
    await world.moveWith(node1, next, ({ state }) => state === 'aborted');
    await compute.moves.abort(over, signal);

    expect(running).toMatchObject({ isLive: true, isResize: false, state: 'running', sourceName: 'node1' });
    expect(progress.leftBytes).toBeLessThanOrEqual(progress.totalBytes);
    expect(await compute.moves.progress(over, signal)).toBeUndefined();
    expect(await compute.instances.get(slow, signal)).toMatchObject({ state: 'running', hostName: 'node1' });
    await cloud.compute('node1').setKnobs({ liveMigrationSeconds: 0 });
    await compute.moves.startLive(slow, signal);
    const again = await world.moveWith(node1, slow, ({ state }) => state === 'succeeded');
    expect(again.id).not.toBe(running.id);
    expect(await compute.instances.get(slow, signal)).toMatchObject({ hostName: again.targetName });
    await Promise.all([world.removeServer(slow), world.removeServer(next)]);
  });

  it('moves an instance that stands still, and confirms that', patient, async () => {
    const node1 = await world.host('node1');
    const id = await world.makeServer('sleeper', 'node1');
    await client.compute.actions.stop(id);
    await world.instanceWith(id, ({ state }) => state === 'stopped');

    await expect(compute.moves.startLive(id, signal)).rejects.toMatchObject({ code: 'conflict' });
    await compute.moves.startCold(id, signal);
    const waiting = await world.moveWith(node1, id, ({ state }) => state === 'unconfirmed');
    await world.instanceWith(id, ({ state }) => state === 'unconfirmed');
    await compute.moves.confirm(id, signal);
    const confirmed = await world.moveWith(node1, id, ({ state }) => state === 'succeeded');
    await world.instanceWith(id, ({ state }) => state === 'stopped');
    await compute.moves.confirm(id, signal);
    await compute.moves.confirm(crypto.randomUUID(), signal);

    expect([waiting, confirmed]).toMatchObject([
      { isLive: false, isResize: false, stateText: 'finished' },
      { id: waiting.id, stateText: 'confirmed' },
    ]);
    await expect(compute.moves.abort(waiting, signal)).rejects.toMatchObject({ code: 'refused' });
    await world.removeServer(id);
  });

  it('tells by the record of a move that no host could take an instance', patient, async () => {
    const [node1, ...others] = [await world.host('node1'), await world.host('node10'), await world.host('node2')];
    const id = await world.makeServer('homeless', 'node1');
    for (const other of others) await compute.hosts.disable(other, 'test', signal);

    // Nova takes both at their word, and looks for a host later.
    await compute.moves.startCold(id, signal);
    const cold = await world.moveWith(node1, id, isOver);
    await world.instanceWith(id, ({ state }) => state === 'running');
    await compute.moves.startLive(id, signal);
    const live = await world.moveWith(node1, id, (move) => move.id !== cold.id && isOver(move));
    const instance = await world.instanceWith(id, ({ state }) => state === 'running');
    const targets = await compute.instances.targets(instance, signal);
    for (const other of others) await compute.hosts.enable(other, signal);

    expect([cold, live]).toMatchObject([
      { isLive: false, state: 'failed' },
      { isLive: true, state: 'failed' },
    ]);
    expect(instance.hostName).toBe('node1');
    expect(targets).toEqual([]);
    await world.removeServer(id);
  });

  it('keeps a host in aggregates', async () => {
    const [node1, node10] = [await world.host('node1'), await world.host('node10')];
    const plainOne = await client.compute.aggregates.create({ name: 'tenant_filter_tests' });
    await client.compute.aggregates.create({ name: 'az1', availabilityZone: 'az1' });
    await client.compute.aggregates.create({ name: 'az2', availabilityZone: 'az2' });
    const known = await untilDefined(async () => {
      const membership = await compute.aggregates.membership(node1, signal);
      return membership.known.length >= 3 ? membership.known : undefined;
    });
    const [tests, az1, az2] = ['tenant_filter_tests', 'az1', 'az2'].map((name) =>
      only(known.filter((each) => each.name === name)),
    );
    if (tests === undefined || az1 === undefined || az2 === undefined) throw new Error('not all aggregates are known');

    await compute.aggregates.join(node1, tests, signal);
    await compute.aggregates.join(node1, az1, signal);
    await compute.aggregates.join(node1, az1, signal);
    const joined = await compute.aggregates.membership(node1, signal);
    const other = await compute.aggregates.membership(node10, signal);
    await expect(compute.aggregates.join(node1, az2, signal)).rejects.toMatchObject({ code: 'conflict' });
    const inZone = await untilDefined(async () => {
      const found = await compute.instances.targets(instanceOf('node2', 'az1'), signal);
      return found !== undefined && found.length > 0 ? found : undefined;
    });
    await compute.aggregates.leave(node1, tests, signal);
    await compute.aggregates.leave(node1, tests, signal);
    await compute.aggregates.leave(node1, az1, signal);
    const left = await compute.aggregates.membership(node1, signal);

    expect(tests).toEqual({ id: String(plainOne.id), uuid: plainOne.uuid, name: plainOne.name, metadata: undefined });
    expect(az1.metadata).toEqual({ availability_zone: 'az1' });
    expect([...joined.joined].toSorted()).toEqual([tests.id, az1.id].toSorted());
    expect([other.joined.size, left.joined.size]).toEqual([0, 0]);
    expect(inZone).toMatchObject([{ name: 'node1' }]);
    expect(await client.compute.aggregates.get(plainOne.id)).toMatchObject({ hosts: [] });
  });

  it('sets traits, makes new ones, and notices who was quicker', async () => {
    const host = await world.host('node10');
    const before = await compute.traits.get(host, signal);

    const wanted = { ...before, traits: [...before.traits, 'CUSTOM_NEVER_SEEN'] };
    const after = await compute.traits.set(host, wanted, signal);
    const late = compute.traits.set(host, before, signal);

    await expect(late).rejects.toMatchObject({ code: 'stale' });
    expect(after.traits).toContain('CUSTOM_NEVER_SEEN');
    expect(after.generation).toBeGreaterThan(before.generation);
    const back = await compute.traits.set(host, { ...after, traits: before.traits }, signal);
    expect(back.traits.toSorted()).toEqual(before.traits.toSorted());
    await expect(compute.traits.get({ ...host, hypervisorId: crypto.randomUUID() }, signal)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('runs a test instance on exactly the host that is to be tested', patient, async () => {
    const node1 = await world.host('node1');
    await compute.smokeTests.start({ name: 'ohooc--node1-a', host: node1, zone: 'nova' }, signal);
    await compute.smokeTests.start({ name: 'ohooc--node10-b', host: await world.host('node10'), zone: 'nova' }, signal);

    const running = await untilDefined(async () => {
      const found = await compute.smokeTests.list('ohooc--node1-', signal);
      return found.some(({ state }) => state === 'running') ? found : undefined;
    });
    const both = await compute.smokeTests.list('ohooc--node1', signal);
    const { id, launchedAt } = only(running);
    const output = await compute.smokeTests.console(id, 11, signal);
    const placed = await client.compute.servers.get(id);
    for (const each of both) await compute.smokeTests.delete(each.id, signal);
    await untilDefined(async () => (await compute.smokeTests.list('ohooc-', signal)).length === 0 || undefined);
    await compute.smokeTests.delete(id, signal);

    expect(running).toMatchObject([{ name: 'ohooc--node1-a', state: 'running', fault: undefined }]);
    expect(Date.parse(launchedAt ?? '')).not.toBeNaN();
    expect(both.map(({ name }) => name).toSorted()).toEqual(['ohooc--node1-a', 'ohooc--node10-b']);
    expect(await compute.smokeTests.list('.*', signal)).toEqual([]);
    expect(output).toContain('ohooc--node1-a');
    expect(placed).toMatchObject({ host: 'node1' });
    expect(placed.projectId).not.toBe((await client.whoAmI()).projectId);
  });

  it('frees a provider that was left over, but never one that is in use', async () => {
    const { providers, allocations } = client.placement;
    const { id, generation } = await providers.create('left-over');
    const unit = { reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 2 };
    await providers.setInventories(id, { generation, inventories: { VCPU: { total: 8, ...unit } } });
    const consumer = crypto.randomUUID();
    const holding = { providers: { [id]: { VCPU: 1 } }, projectId: 'p1', userId: 'u1', generation: undefined };
    await allocations.set(consumer, holding);
    // The service has gone already, as after an attempt that was cut off.
    const leftOver = { hypervisorId: id, serviceId: crypto.randomUUID() };

    const blocked = await compute.hosts.deregister(leftOver, signal);
    await allocations.delete(consumer);
    const done = await compute.hosts.deregister(leftOver, signal);

    expect(blocked).toEqual({
      kind: 'blocked',
      message: expect.stringMatching(
        `^cannot clean up resource provider: cannot clean up provider, cannot handle non-empty consumer allocations.*${consumer}`,
      ),
    });
    expect(done).toEqual({ kind: 'done' });
    await expect(providers.get(id)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('removes a host by its ids once it is empty, and leaves the one with a similar name alone', patient, async () => {
    const [node1, node10] = [await world.host('node1'), await world.host('node10')];
    const id = await world.makeServer('last', 'node1');

    const blocked = await compute.hosts.deregister(node1, signal);
    await client.compute.actions.stop(id);
    await world.instanceWith(id, ({ state }) => state === 'stopped');
    const stillBlocked = await compute.hosts.deregister(node1, signal);
    await world.removeServer(id);
    await cloud.compute('node1').stop();
    const first = await compute.hosts.deregister(node1, signal);
    const again = await compute.hosts.deregister(node1, signal);

    expect(blocked).toEqual({
      kind: 'blocked',
      message: expect.stringMatching(/but still has 1 (running|assigned) VMs/),
    });
    expect(stillBlocked).toMatchObject({ kind: 'blocked' });
    expect([first, again]).toEqual([{ kind: 'done' }, { kind: 'done' }]);
    expect(await compute.hosts.get(node1, signal)).toBeUndefined();
    expect(await compute.hosts.find('node1', signal)).toBeUndefined();
    await expect(client.placement.providers.get(node1.hypervisorId)).rejects.toMatchObject({ code: 'not-found' });
    expect(await client.compute.services.findCompute('node10')).toMatchObject({ id: node10.serviceId });
    expect(await compute.hosts.find('node10', signal)).toMatchObject({ hypervisorId: node10.hypervisorId });
    expect(await client.placement.providers.get(node10.hypervisorId)).toMatchObject({ name: 'node10' });
  });
});

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`${items.length} items instead of one`);
  return item;
}

/** As little of an instance as is needed to ask where it could go. */
function instanceOf(hostName: string, zone: string): ComputeInstance {
  return {
    id: 's1',
    name: 'one',
    state: 'running',
    stateText: 'ACTIVE',
    guestState: 'running',
    isMeantToRun: true,
    hostName,
    hypervisorHostname: hostName,
    memoryMiB: 64,
    resources: { VCPU: 1, MEMORY_MB: 64 },
    requiredTraits: [],
    zone,
    obstacles: [],
    isLocked: false,
    metadata: {},
    flavorProperties: {},
    fault: undefined,
  };
}

function isOver({ state }: ComputeMove): boolean {
  return state === 'failed' || state === 'succeeded';
}

/** Which calls about hosts were made. */
function askedAbout(exchanges: readonly Exchange[]): readonly string[] {
  const own = exchanges.filter(({ path }) => path.startsWith('/os-'));
  return own.map(({ method, path }) => `${method} ${path}`).toSorted();
}
