import { describe, expect, it, vi } from 'vitest';

import { hostOf, startSimulatedWorld } from './fixtures/simulated-world.ts';

const signal = new AbortController().signal;
const BEGINNING = new Date(0);

describe('an evacuation', () => {
  it.each([
    [{ kind: 'answer', status: 503, retryAfterSeconds: 0 }, 'unknown-fate', 0],
    [{ kind: 'answer', status: 429, retryAfterSeconds: 0 }, 'unavailable', 0],
    [{ kind: 'answer', status: 502, when: 'after' }, 'unknown-fate', 1],
    [{ kind: 'answer', status: 500, when: 'after' }, 'unknown-fate', 1],
    [{ kind: 'answer', status: 504, when: 'after' }, 'unknown-fate', 1],
    [{ kind: 'drop', when: 'after' }, 'unknown-fate', 1],
    [{ kind: 'drop', when: 'before' }, 'unknown-fate', 0],
    [{ kind: 'answer', status: 409 }, 'conflict', 0],
    [{ kind: 'answer', status: 404 }, 'not-found', 0],
    [{ kind: 'answer', status: 403 }, 'refused', 0],
    [{ kind: 'answer', status: 400, message: 'Compute service of node1 is still in use.' }, 'conflict', 0],
  ] as const)('that is answered by %j is %s, and never asked for twice', async (effect, code, records) => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { attempts: 5 });
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1', { behaviour: { evacuation: 'stuck' } });
    cloud.changeHost('node1', { isUp: false });

    const fault = cloud.inject({ body: 'evacuate', effect });
    const error: unknown = await compute.evacuations.start(id, {}, signal).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code, message: expect.stringContaining('POST /servers/{server}/action') });
    expect(fault.hits).toBe(1);
    expect(await compute.evacuations.list(node1, BEGINNING, signal)).toHaveLength(records);
  });

  it('that its caller gave up may come to pass later', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2'], { attempts: 5 });
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1', { behaviour: { evacuation: 'stuck' } });
    cloud.changeHost('node1', { isUp: false });
    cloud.inject({ body: 'evacuate', effect: { kind: 'late', afterMs: 400 } });

    const given = compute.evacuations.start(id, {}, AbortSignal.timeout(100));
    await expect(given).rejects.toMatchObject({ code: 'aborted' });
    const early = await compute.evacuations.list(node1, BEGINNING, signal);
    const late = await vi.waitUntil(async () => {
      const listed = await compute.evacuations.list(node1, BEGINNING, signal);
      return listed.length > 0 && listed;
    });

    expect(early).toEqual([]);
    expect(late).toMatchObject([{ instanceId: id, state: 'open' }]);
  });

  it('goes to a host by the name of its hypervisor, and to none that the name merely stands for', async () => {
    await using world = await startSimulatedWorld([
      'node1',
      { name: 'node2.example.org', serviceHost: 'node2' },
      { name: 'node3.example.org', serviceHost: 'node3.example.org' },
    ]);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1');
    cloud.changeHost('node1', { isUp: false });

    const vague = compute.evacuations.start(id, { targetName: 'node3' }, signal);
    await expect(vague).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('node3') });
    await compute.evacuations.start(id, { targetName: 'node2.example.org' }, signal);

    await vi.waitFor(async () => {
      const [evacuation] = await compute.evacuations.list(node1, BEGINNING, signal);
      expect(evacuation).toMatchObject({ state: 'done', targetName: 'node2.example.org' });
    });
  });

  it('runs again by the version in which it is asked for, although Nova knows newer ones', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const id = cloud.addServer('node1');
    cloud.changeHost('node1', { isUp: false });

    await compute.evacuations.start(id, {}, signal);

    await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'ACTIVE', host: 'node2' }));
  });
});

describe('the evacuations of a host', () => {
  it('are all told, however many pages they fill', async () => {
    await using world = await startSimulatedWorld(['node1', { name: 'node2', vcpus: 1000 }]);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    cloud.behave({ evacuation: 'stuck' });
    const ids = Array.from({ length: 1_001 }, () => cloud.addServer('node1', { flavor: { memoryMiB: 1 } }));
    cloud.changeHost('node1', { isUp: false });
    await Promise.all(ids.map((id) => compute.evacuations.start(id, {}, signal)));

    const listed = await compute.evacuations.list(node1, new Date(Date.now() + 3_600_000), signal);

    expect(listed.map(({ instanceId }) => instanceId).toSorted()).toEqual(ids.toSorted());
    expect(listed.map(({ id }) => Number(id))).toEqual(ids.map((_, index) => index + 1));
  });

  it('are not known while its cell cannot be reached, rather than none', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    const id = cloud.addServer('node1', { behaviour: { evacuation: 'stuck' } });
    cloud.changeHost('node1', { isUp: false });
    await compute.evacuations.start(id, {}, signal);

    cloud.changeHost('node1', { isReachable: false });
    const lost = compute.evacuations.list(node1, BEGINNING, signal);

    await expect(lost).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('node1') });
  });
});

describe('the listing of all hosts', () => {
  it(
    'costs 10,000 hosts eleven calls, and those whose names tell nothing ten more, once',
    { timeout: 30_000 },
    async () => {
      const hosts = Array.from({ length: 10_000 }, (_, index) => ({
        name: `n${index}.example.org`,
        serviceHost: `n${index}`,
      }));
      await using world = await startSimulatedWorld(hosts);
      const { cloud, compute } = world;

      const first = await compute.hosts.list(signal);
      const calls = cloud.counts();
      cloud.changeHost('n7.example.org', { isUp: false });
      const second = await compute.hosts.list(signal);

      expect(calls).toMatchObject({
        'compute GET /os-services': 1,
        'compute GET /os-hypervisors': 10,
        'compute GET /os-hypervisors/detail': 10,
      });
      expect(cloud.counts()).toMatchObject({ 'compute GET /os-hypervisors/detail': 10, 'compute GET /os-services': 2 });
      expect(first).toHaveLength(10_000);
      expect(first.every(({ isUp }) => isUp)).toBe(true);
      expect(second.filter(({ isUp }) => !isUp).map(({ name }) => name)).toEqual(['n7.example.org']);
    },
  );

  it('leaves out a host whose cell cannot be reached, which is not to say that it is gone', async () => {
    await using world = await startSimulatedWorld(['node1', 'node2']);
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');

    cloud.changeHost('node1', { isReachable: false });

    expect((await compute.hosts.list(signal)).map(({ name }) => name)).toEqual(['node2']);
    await expect(compute.hosts.get(node1, signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is never older than the question, and knows of own changes', async () => {
    await using world = await startSimulatedWorld(['node1'], { settings: { listingMs: 600_000 } });
    const { cloud, compute } = world;
    const node1 = await hostOf(compute, 'node1');
    cloud.changeHost('node1', { isUp: false });

    const [silent] = await compute.hosts.list(signal);
    await compute.hosts.forceDown(node1, signal);
    const declared = await compute.hosts.get(node1, signal);
    await compute.hosts.clearForcedDown(node1, signal);

    expect(silent).toMatchObject({ isUp: false, isForcedDown: false, isEnabled: true });
    expect(declared).toMatchObject({ isUp: false, isForcedDown: true, isEnabled: true });
    expect(await compute.hosts.get(node1, signal)).toMatchObject({ isUp: false, isForcedDown: false, isEnabled: true });
    expect(cloud.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      '{"forced_down":true}',
      '{"forced_down":false}',
    ]);
  });
});
