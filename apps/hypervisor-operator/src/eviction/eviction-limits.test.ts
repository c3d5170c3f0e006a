import type { MoveSnapshot } from '@smalt/bed-openstack-simulator';
import type { Eviction } from '@smalt/fleet-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import {
  conditionOf,
  quickSettings,
  startEvictionBed,
  stateIds,
  stateOf,
  type EvictionBed,
} from './fixtures/eviction-bed.ts';

let world: EvictionBed;

beforeAll(async () => {
  const limits = { ...quickSettings.limits, perHost: 4, overall: 6, perTrait: { CUSTOM_SLOW: 1 } };
  world = await startEvictionBed({ ...quickSettings, limits, cancelTimeoutMs: 1_500 });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

// What a test leaves under way, above all one that failed, takes room from the moves of the next.
afterEach(async () => {
  const { cloud, evictions } = world.bed;
  for (const { id } of cloud.servers()) cloud.removeServer(id);
  const { items } = await evictions.list();
  await Promise.all(items.map(async ({ metadata }) => await evictions.delete(metadata.name)));
  await Promise.all(items.map(async ({ metadata }) => await world.untilGone(metadata.name)));
});

describe('moves at a time', { timeout: 30_000 }, () => {
  it('are as many as one host may have, for thirty servers and few calls', async () => {
    const name = freshName('full');
    const ids = await world.host(name, many(30, 60_000));
    world.bed.cloud.forgetCalls();
    await world.evict(name);

    await untilMoving(4, [name]);
    await letGo(ids, [name]);
    await world.until(name, (each) => isDone(each, 30));

    expect(mostMoves([name])).toBe(4);
    expect(ids.map((id) => world.asked(id))).toEqual(ids.map(() => 1));
    // However many wait: one list of servers and the lists of moves for a look, and one last look at each that left.
    const looks = world.bed.cloud.countOf('compute GET /servers/detail');
    expect(world.bed.cloud.countOf('compute GET /os-migrations')).toBeLessThanOrEqual(2 * looks);
    // A look may fall between the end of a move and its record: then there is another.
    expect(world.bed.cloud.counts()['compute GET /servers/{id}']).toBeLessThan(2 * 30);
  });

  it('are as many as all hosts together may have', async () => {
    const pair1 = freshName('pair-1');
    const pair2 = freshName('pair-2');
    const ids = [...(await world.host(pair1, many(8, 60_000))), ...(await world.host(pair2, many(8, 60_000)))];
    await Promise.all([world.evict(pair1), world.evict(pair2)]);

    await untilMoving(6, [pair1, pair2]);
    await letGo(ids, [pair1, pair2]);
    await Promise.all([pair1, pair2].map((name) => world.until(name, (each) => isDone(each, 8))));

    expect(mostMoves([pair1, pair2])).toBe(6);
  });

  it('are fewer from a host with a trait that says so', async () => {
    const name = freshName('slow');
    await world.host(name, many(4, 50));
    await world.bed.hypervisors.applyStatus(name, { traits: ['CUSTOM_SLOW'] }, { fieldManager: 'traits' });
    await world.evict(name);

    await world.until(name, (each) => isDone(each, 4));

    expect(mostMoves([name])).toBe(1);
  });
});

describe('moves of other evictions', { timeout: 30_000 }, () => {
  it("are waited for, which is told, and not once they are nobody's any more", async () => {
    const [lost, slow, waiting] = [freshName('lost'), freshName('slow'), freshName('waiting')];
    await world.host(lost, many(3, 60_000));
    await world.host(slow, many(3, 60_000));
    await world.host(waiting, many(2, 50));
    await using _ = stopAtTheEnd(lost, slow);
    await Promise.all([world.evict(lost), world.evict(slow)]);
    await Promise.all([lost, slow].map((name) => world.until(name, (each) => each.status?.progress?.moving === 3)));

    await world.evict(waiting);
    const held = await world.until(waiting, (each) => messageOf(each).includes('waits:'));
    await stateIds(world.bed, lost, { hypervisorId: '5b6e7a1c-0000-4000-8000-000000000000', serviceId: 'other' });
    const failed = await world.until(lost, (each) => stateOf(each) === 'False/Failed');
    await world.until(waiting, (each) => stateOf(each) === 'False/Succeeded');

    expect(messageOf(held)).toMatch(/^Running, waits: 6 moves of other evictions are under way/v);
    expect(failed.status?.progress?.moving).toBe(0);
    expect(stateOf(failed, 'MigratingInstance')).toBe('False/Failed');
  });

  it('are not followed by whoever lost his hypervisor, but seen to their end', async () => {
    const name = freshName('orphan');
    const [id = ''] = await world.host(name, [cold(1_000)]);
    await world.evict(name);
    await world.until(name, () => statusOfMove(id) === 'migrating');

    await world.bed.hypervisors.delete(name);
    const eviction = await world.until(
      name,
      (each) => stateOf(each) === 'False/Failed' && each.status?.progress?.moving === 0,
    );

    expect(messageOf(eviction)).toContain(`there is no hypervisor "${name}"`);
    expect(statusOfMove(id)).toBe('confirmed');
  });
});

describe('an eviction that is not wanted any more', { timeout: 30_000 }, () => {
  it('stops its moves, begins no other, and goes', async () => {
    const name = freshName('cancelled');
    const ids = await world.host(name, many(6, 60_000));
    await world.evict(name);
    await world.until(name, (each) => each.status?.progress?.moving === 4 && openMoves(name) === 4);

    await world.bed.evictions.delete(name);
    await world.untilGone(name);

    expect(openMoves(name)).toBe(0);
    expect(ids.map((id) => world.bed.cloud.server(id))).toMatchObject(
      ids.map(() => ({ host: name, status: 'ACTIVE' })),
    );
    expect(ids.filter((id) => world.asked(id) > 0)).toHaveLength(4);
  });

  it('stops them even if the operator was started anew in between', async () => {
    const name = freshName('cancelled-late');
    await world.host(name, many(2, 60_000));
    await world.evict(name);
    await world.until(name, (each) => each.status?.progress?.moving === 2 && openMoves(name) === 2);

    await world.bed.stopOperator();
    await world.bed.evictions.delete(name);
    await world.bed.restartOperator();
    await world.untilGone(name);

    expect(openMoves(name)).toBe(0);
  });

  it.each(['there', 'gone'])('stays until its cold moves are confirmed, its hypervisor being %s', async (where) => {
    const name = freshName('cold');
    // Longer than a live move is given to stop.
    const [id = ''] = await world.host(name, [cold(3_000)]);
    await world.evict(name);
    await world.until(name, () => statusOfMove(id) === 'migrating');

    if (where === 'gone') await world.bed.hypervisors.delete(name);
    await world.bed.evictions.delete(name);
    await world.untilGone(name);

    expect(statusOfMove(id)).toBe('confirmed');
    expect(world.bed.cloud.server(id)?.status).toBe('SHUTOFF');
  });

  it('goes after a while even if the cloud does not answer, and warns', async () => {
    const name = freshName('cut-off');
    await world.host(name, many(2, 60_000));
    await world.evict(name);
    await world.until(name, (each) => each.status?.progress?.moving === 2 && openMoves(name) === 2);

    {
      using _ = world.bed.cloud.inject({ service: 'compute', effect: { kind: 'answer', status: 503 } });
      await world.bed.evictions.delete(name);
      await world.untilGone(name);
    }

    const events = await world.bed.kubectl('get', 'events', `--field-selector=involvedObject.name=${name}`);
    expect(events).toContain('CancellationTimedOut');
  });

  it('steps back while high availability has the host, and goes on afterwards', async () => {
    const name = freshName('handed-over');
    const ids = await world.host(name, many(2, 60_000));
    await world.evict(name);
    await world.until(name, (each) => each.status?.progress?.moving === 2);

    await maintain(name, 'ha');
    const stopped = await world.until(
      name,
      (each) => stateOf(each) === 'False/Failed' && each.status?.progress?.moving === 0,
    );
    for (const id of ids) world.bed.cloud.behave({ liveMigrationMs: 50 }, id);
    await maintain(name, 'auto');
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(stopped.status?.conditions?.find(({ type }) => type === 'Evicting')?.message).toContain(
      'maintenance mode ha',
    );
    expect(eviction.status?.progress?.moved).toBe(2);
  });
});

function many(count: number, liveMigrationMs: number) {
  return Array.from({ length: count }, (_, index) => ({ name: `s${index}`, behaviour: { liveMigrationMs } }));
}

/** Stops what these evictions move, so that other tests have room for theirs. */
function stopAtTheEnd(...names: readonly string[]): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      for (const name of names) {
        await stateIds(world.bed, name, world.bed.cloud.host(name));
        await world.bed.evictions.delete(name);
        await world.untilGone(name);
      }
    },
  };
}

function cold(coldMigrationMs: number) {
  return { name: 'cold', status: 'SHUTOFF', behaviour: { coldMigrationMs } };
}

function statusOfMove(id: string): string | undefined {
  return world.bed.cloud.moves().find(({ serverId }) => serverId === id)?.status;
}

function messageOf(eviction: Eviction): string {
  return conditionOf(eviction)?.message ?? '';
}

function openMoves(...sources: readonly string[]): number {
  return movesFrom(sources).filter(({ endedAt }) => endedAt === undefined).length;
}

function movesFrom(sources: readonly string[]): readonly MoveSnapshot[] {
  return world.bed.cloud.moves().filter(({ source }) => sources.includes(source));
}

/** Resolves when so many moves run at once, all of which take until they are let go. */
async function untilMoving(count: number, sources: readonly string[]): Promise<void> {
  await expect.poll(() => movesFrom(sources).filter(({ status }) => status === 'running').length).toBe(count);
}

/** Ends the moves that run, and makes those that come quick. */
async function letGo(ids: readonly string[], sources: readonly string[]): Promise<void> {
  for (const id of ids) world.bed.cloud.behave({ liveMigrationMs: 50 }, id);
  await Promise.all(sources.map((source) => world.finishMoves(source)));
}

/** The most moves that were open at any time, by the records of the cloud. */
function mostMoves(sources: readonly string[]): number {
  const moves = movesFrom(sources);
  const openAt = (time: number): number =>
    moves.filter(({ begunAt, endedAt = Number.POSITIVE_INFINITY }) => begunAt <= time && time < endedAt).length;
  return Math.max(...moves.map(({ begunAt }) => openAt(begunAt)));
}

function isDone(eviction: Eviction, moved: number): boolean {
  return stateOf(eviction) === 'False/Succeeded' && eviction.status?.progress?.moved === moved;
}

async function maintain(name: string, maintenance: 'ha' | 'auto'): Promise<void> {
  await world.bed.hypervisors.patch(name, 'merge', { spec: { maintenance } });
}
