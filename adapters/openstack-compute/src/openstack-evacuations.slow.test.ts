import { canRunOpenStack, type OpenStackCloud } from '@smalt/bed-openstack';
import type { Compute, ComputeEvacuation, ComputeHost } from '@smalt/compute';
import type { OpenStackClient } from '@smalt/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CloudWorld, untilDefined } from './fixtures/cloud-world.ts';

const patient = { timeout: 120_000 } as const;
const signal = new AbortController().signal;
const BEGINNING = new Date(0);
const DEAD = 'node-a';
const RESERVED = 'node-d';

let world: CloudWorld;
let cloud: OpenStackCloud;
let client: OpenStackClient;
let compute: Compute;
let dead: ComputeHost;
const ids = { runner: '', sleeper: '', loser: '', drowsy: '', twice: '' };

/** One host loses its power, and the tests tell in order what becomes of its instances until it is back. */
describe.runIf(await canRunOpenStack())('a host that dies, on a real Nova', () => {
  beforeAll(async () => {
    world = await CloudWorld.start([DEAD, 'node-b', 'node-c', RESERVED]);
    ({ cloud, client, compute } = world);
    dead = await world.host(DEAD);
    await compute.hosts.disable(await world.host(RESERVED), 'reserved', signal);
    const make = async (name: keyof typeof ids): Promise<void> => {
      ids[name] = await world.makeServer(name, DEAD);
    };
    await Promise.all((['runner', 'sleeper', 'loser', 'drowsy', 'twice'] as const).map(make));
    const stop = async (id: string): Promise<void> => {
      await client.compute.actions.stop(id);
      await world.instanceWith(id, ({ state }) => state === 'stopped');
    };
    await Promise.all([ids.sleeper, ids.drowsy].map(stop));
  }, 240_000);

  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  it('tells of all hosts in two calls which are up, enabled and declared dead', patient, async () => {
    const before = await standings();
    await cloud.compute(DEAD).crash();
    await expect(compute.evacuations.start(ids.runner, {}, signal)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('still in use'),
    });
    const silent = await untilDefined(async () => {
      const found = (await standings())[DEAD];
      return found?.isUp === false ? found : undefined;
    });
    await compute.hosts.forceDown(dead, signal);
    const declared = await compute.hosts.get(dead, signal);
    await compute.hosts.disable(dead, 'power loss', signal);
    const asked = world.exchanges.length;
    const after = await standings();

    const up = { isUp: true, isEnabled: true, isForcedDown: false };
    const reserved = { ...up, isEnabled: false };
    expect(before).toEqual({ [DEAD]: up, 'node-b': up, 'node-c': up, [RESERVED]: reserved });
    expect(silent).toEqual({ isUp: false, isEnabled: true, isForcedDown: false });
    expect(declared).toMatchObject({ isUp: false, isEnabled: true, isForcedDown: true, zone: 'nova' });
    expect(after).toEqual({ ...before, [DEAD]: { isUp: false, isEnabled: false, isForcedDown: true } });
    const calls = world.exchanges.slice(asked).map(({ path }) => path);
    expect(calls.toSorted()).toEqual(['/os-hypervisors', '/os-services']);
    // It is the agent of a host that tells Placement, and this one is dead.
    expect((await compute.traits.get(dead, signal)).traits).not.toContain('COMPUTE_STATUS_DISABLED');
  });

  it('refuses at once what can never be', async () => {
    const start = (id: string, targetName?: string) =>
      compute.evacuations.start(id, targetName === undefined ? {} : { targetName }, signal);
    const elsewhere = await world.makeServer('elsewhere', 'node-b');

    await expect(start(ids.runner, 'nowhere')).rejects.toMatchObject({ code: 'not-found' });
    await expect(start(ids.runner, DEAD)).rejects.toMatchObject({ code: 'refused' });
    await expect(start(crypto.randomUUID())).rejects.toMatchObject({ code: 'not-found' });
    await expect(start(elsewhere)).rejects.toMatchObject({ code: 'conflict' });
    await client.compute.actions.stop(elsewhere);
    expect(await compute.evacuations.list(dead, BEGINNING, signal)).toEqual([]);
  });

  it('runs again what ran and leaves off what was off, once the record says done', patient, async () => {
    await compute.evacuations.start(ids.runner, {}, signal);
    const [begun] = await compute.evacuations.list(dead, new Date(Date.now() + 3_600_000), signal);
    await compute.evacuations.start(ids.sleeper, { targetName: 'node-c' }, signal);
    const [runner, sleeper] = await Promise.all([ended(ids.runner), ended(ids.sleeper)]);

    // Nova makes the record before it answers, so who looks after the answer finds it.
    expect(begun).toMatchObject({ instanceId: ids.runner, state: 'open', sourceName: DEAD, isCleared: false });
    expect(runner).toMatchObject({ state: 'done', stateText: 'done', isCleared: false });
    expect(sleeper).toMatchObject({ state: 'done', targetName: 'node-c', isCleared: false });
    expect(await compute.instances.get(ids.runner, signal)).toMatchObject({
      state: 'running',
      guestState: 'running',
      isMeantToRun: true,
      hostName: runner.targetName,
    });
    expect(await compute.instances.get(ids.sleeper, signal)).toMatchObject({ state: 'stopped', hostName: 'node-c' });
    expect(await guestsOf(runner.targetName)).toContainEqual({ id: ids.runner, state: 'running' });
    expect(await guestsOf('node-c')).toContainEqual({ id: ids.sleeper, state: 'off' });
    expect(await compute.evacuations.list(dead, new Date(Date.now() + 3_600_000), signal)).toEqual([]);
  });

  it(
    'leaves an instance failed where nobody can take it, and rebuilds it once a reserved host may',
    patient,
    async () => {
      const reserved = await world.host(RESERVED);
      const rack = await client.compute.aggregates.create({ name: 'rack1' });
      const aggregate = { id: String(rack.id), uuid: rack.uuid, name: rack.name, metadata: undefined };
      await compute.aggregates.join(dead, aggregate, signal);
      for (const id of [ids.loser, ids.drowsy]) await compute.evacuations.start(id, { targetName: RESERVED }, signal);
      const failed = await Promise.all([ended(ids.loser), ended(ids.drowsy)]);
      // The record says so a moment before the instance does.
      const [loser] = await Promise.all([ids.loser, ids.drowsy].map((id) => hasFailed(id)));

      await compute.aggregates.join(reserved, aggregate, signal);
      await compute.hosts.enable(reserved, signal);
      for (const id of [ids.loser, ids.drowsy]) await compute.evacuations.start(id, { targetName: RESERVED }, signal);
      const done = await Promise.all([ended(ids.loser), ended(ids.drowsy)]);

      expect(failed.map(({ state, stateText }) => [state, stateText])).toEqual([
        ['failed', 'error'],
        ['failed', 'error'],
      ]);
      expect(loser).toMatchObject({ state: 'failed', hostName: DEAD, fault: expect.stringContaining('No valid host') });
      expect(done.map(({ state, targetName }) => [state, targetName])).toEqual([
        ['done', RESERVED],
        ['done', RESERVED],
      ]);
      expect(await compute.instances.get(ids.loser, signal)).toMatchObject({ state: 'running', hostName: RESERVED });
      // Nova forgets over the failure that this one was off.
      expect(await compute.instances.get(ids.drowsy, signal)).toMatchObject({ state: 'running', hostName: RESERVED });
    },
  );

  it('shows why a second evacuation must never be asked for: then two hosts run the instance', patient, async () => {
    await cloud.compute('node-b').setKnobs({ spawnSeconds: 3 });
    await compute.evacuations.start(ids.twice, { targetName: 'node-b' }, signal);
    await untilDefined(async () => {
      const { taskState } = await client.compute.servers.get(ids.twice);
      return taskState === 'rebuild_spawning' || undefined;
    });
    const first = await ofTwice();

    await compute.evacuations.start(ids.twice, { targetName: 'node-c' }, signal);
    await untilDefined(async () => (await ofTwice()).every(({ state }) => state !== 'open') || undefined);

    expect(first).toMatchObject([{ state: 'open', targetName: 'node-b' }]);
    expect(await guestsOf('node-b')).toContainEqual({ id: ids.twice, state: 'running' });
    expect(await guestsOf('node-c')).toContainEqual({ id: ids.twice, state: 'running' });
    expect((await ofTwice()).map(({ state }) => state).toSorted()).toEqual(['done', 'failed']);
    expect(await hasFailed(ids.twice)).toMatchObject({ fault: expect.stringContaining('Conflict updating instance') });
    await cloud.compute('node-b').setKnobs({ spawnSeconds: 0 });
  });

  it('clears a host that returns, which is up and enabled in two steps', patient, async () => {
    await cloud.compute(DEAD).start();
    const cleared = await Promise.all([ids.runner, ids.sleeper, ids.loser].map((id) => isCleared(id)));
    const stillDead = await compute.hosts.get(dead, signal);
    await compute.hosts.clearForcedDown(dead, signal);
    const cleared1 = await compute.hosts.get(dead, signal);
    await untilDefined(async () => (await standings())[DEAD]?.isUp || undefined);
    await compute.hosts.enable(dead, signal);

    expect(cleared.map(({ state, stateText }) => `${state}: ${stateText}`)).toEqual(Array(3).fill('done: completed'));
    expect((await guestsOf(DEAD)).filter(({ id }) => id === ids.runner)).toEqual([]);
    expect(stillDead).toMatchObject({ isForcedDown: true, isUp: false, isEnabled: false });
    expect(cleared1).toMatchObject({ isForcedDown: false, isEnabled: false, disabledReason: 'power loss' });
    expect((await standings())[DEAD]).toEqual({ isUp: true, isEnabled: true, isForcedDown: false });
    expect((await compute.traits.get(dead, signal)).traits).not.toContain('COMPUTE_STATUS_DISABLED');
  });

  it('restarts what runs, what is off and what has failed', patient, async () => {
    await client.compute.actions.resetState(ids.loser, 'error');
    for (const id of [ids.runner, ids.sleeper, ids.loser]) await compute.instances.restart(id, signal);
    const running = await Promise.all([ids.runner, ids.sleeper, ids.loser].map((id) => runsAgain(id)));

    expect(running.map(({ guestState }) => guestState)).toEqual(Array(3).fill('running'));
    await expect(compute.instances.restart(crypto.randomUUID(), signal)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is taken by Nova with every host down, and fails in its record', patient, async () => {
    const id = await world.makeServer('last', DEAD);
    for (const each of cloud.computes) {
      await each.crash();
      await each.expireReport();
    }
    await untilDefined(async () => Object.values(await standings()).every(({ isUp }) => !isUp) || undefined);

    const targets = await compute.instances.targets(await world.instanceWith(id, () => true), signal);
    await compute.evacuations.start(id, {}, signal);

    expect(targets).toEqual([]);
    expect(await ended(id)).toMatchObject({ state: 'failed', stateText: 'error', targetName: undefined });
  });
});

type Standing = Pick<ComputeHost, 'isUp' | 'isEnabled' | 'isForcedDown'>;

async function standings(): Promise<Readonly<Record<string, Standing>>> {
  const hosts = await compute.hosts.list(signal);
  return Object.fromEntries(
    hosts.map(({ name, isUp, isEnabled, isForcedDown }) => [name, { isUp, isEnabled, isForcedDown }]),
  );
}

async function ended(id: string): Promise<ComputeEvacuation> {
  return await world.evacuationWith(dead, id, ({ state }) => state !== 'open');
}

async function isCleared(id: string): Promise<ComputeEvacuation> {
  return await world.evacuationWith(dead, id, (evacuation) => evacuation.isCleared);
}

async function ofTwice(): Promise<readonly ComputeEvacuation[]> {
  const listed = await compute.evacuations.list(dead, BEGINNING, signal);
  return listed.filter(({ instanceId }) => instanceId === ids.twice);
}

async function hasFailed(id: string) {
  return await untilDefined(async () => {
    const instance = await compute.instances.get(id, signal);
    return instance?.state === 'failed' ? instance : undefined;
  });
}

async function runsAgain(id: string) {
  return await untilDefined(async () => {
    const instance = await compute.instances.get(id, signal);
    return instance?.state === 'running' ? instance : undefined;
  });
}

async function guestsOf(name: string | undefined): Promise<readonly { id: string; state: string }[]> {
  const guests = await cloud.compute(name ?? '').guests();
  return guests.map(({ id, state }) => ({ id, state }));
}
