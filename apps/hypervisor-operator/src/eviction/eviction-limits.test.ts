import type { Eviction } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  conditionOf,
  fresh,
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
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('moves at a time', { timeout: 30_000 }, () => {
  it('are as many as one host may have, for thirty servers and few calls', async () => {
    const ids = await world.host('full', many(30, 100));
    world.bed.cloud.forgetCalls();
    await world.evict('full');

    const most = await mostMoves(['full'], 30);

    expect(most).toBe(4);
    expect(ids.map((id) => world.asked(id))).toEqual(ids.map(() => 1));
    // However many wait: one list of servers and the lists of moves for a look, and one last look at each that left.
    const looks = world.bed.cloud.countOf('compute GET /servers/detail');
    expect(world.bed.cloud.countOf('compute GET /os-migrations')).toBeLessThanOrEqual(2 * looks);
    // A look may fall between the end of a move and its record: then there is another.
    expect(world.bed.cloud.counts()['compute GET /servers/{id}']).toBeLessThan(2 * 30);
  });

  it('are as many as all hosts together may have', async () => {
    await world.host('pair-1', many(8, 150));
    await world.host('pair-2', many(8, 150));
    await Promise.all([world.evict('pair-1'), world.evict('pair-2')]);

    expect(await mostMoves(['pair-1', 'pair-2'], 8)).toBeLessThanOrEqual(6);
  });

  it('are fewer from a host with a trait that says so', async () => {
    await world.host('slow', many(4, 50));
    await world.bed.hypervisors.applyStatus('slow', { traits: ['CUSTOM_SLOW'] }, { fieldManager: 'traits' });
    await world.evict('slow');

    expect(await mostMoves(['slow'], 4)).toBe(1);
  });
});

describe('moves of other evictions', { timeout: 30_000 }, () => {
  it("are waited for, which is told, and not once they are nobody's any more", async () => {
    const [lost, slow, waiting] = [fresh('lost'), fresh('slow'), fresh('waiting')];
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
    const name = fresh('orphan');
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
    const ids = await world.host('cancelled', many(6, 60_000));
    await world.evict('cancelled');
    await world.until('cancelled', (each) => each.status?.progress?.moving === 4 && openMoves() === 4);

    await world.bed.evictions.delete('cancelled');
    await world.untilGone('cancelled');

    expect(openMoves()).toBe(0);
    expect(ids.map((id) => world.bed.cloud.server(id))).toMatchObject(
      ids.map(() => ({ host: 'cancelled', status: 'ACTIVE' })),
    );
    expect(ids.filter((id) => world.asked(id) > 0)).toHaveLength(4);
  });

  it('stops them even if the operator was started anew in between', async () => {
    await world.host('cancelled-late', many(2, 60_000));
    await world.evict('cancelled-late');
    await world.until('cancelled-late', (each) => each.status?.progress?.moving === 2 && openMoves() === 2);

    await world.bed.stopOperator();
    await world.bed.evictions.delete('cancelled-late');
    await world.bed.restartOperator();
    await world.untilGone('cancelled-late');

    expect(openMoves()).toBe(0);
  });

  it.each(['there', 'gone'])('stays until its cold moves are confirmed, its hypervisor being %s', async (where) => {
    const name = fresh('cold');
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
    const ids = await world.host('cut-off', many(2, 60_000));
    await world.evict('cut-off');
    await world.until('cut-off', (each) => each.status?.progress?.moving === 2 && openMoves() === 2);

    {
      using _ = world.bed.cloud.inject({ service: 'compute', effect: { kind: 'answer', status: 503 } });
      await world.bed.evictions.delete('cut-off');
      await world.untilGone('cut-off');
    }

    const events = await world.bed.kubectl('get', 'events', '--field-selector=involvedObject.name=cut-off');
    expect(events).toContain('CancellationTimedOut');
    for (const id of ids) world.bed.cloud.removeServer(id);
  });

  it('steps back while high availability has the host, and goes on afterwards', async () => {
    const ids = await world.host('handed-over', many(2, 60_000));
    await world.evict('handed-over');
    await world.until('handed-over', (each) => each.status?.progress?.moving === 2);

    await maintain('handed-over', 'ha');
    const stopped = await world.until(
      'handed-over',
      (each) => stateOf(each) === 'False/Failed' && each.status?.progress?.moving === 0,
    );
    for (const id of ids) world.bed.cloud.behave({ liveMigrationMs: 50 }, id);
    await maintain('handed-over', 'auto');
    const eviction = await world.until('handed-over', (each) => stateOf(each) === 'False/Succeeded');

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

function openMoves(): number {
  return world.bed.cloud.moves().filter(({ status }) => !/^(completed|cancelled|confirmed|failed|error)$/.test(status))
    .length;
}

/** The most moves that were open at any time until all have moved. */
async function mostMoves(names: readonly string[], moved: number): Promise<number> {
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, openMoves());
  }, 5);
  const isMoved = (each: Eviction): boolean =>
    stateOf(each) === 'False/Succeeded' && each.status?.progress?.moved === moved;
  await Promise.all(names.map((name) => world.until(name, isMoved)));
  clearInterval(sampling);
  return most;
}

async function maintain(name: string, maintenance: 'ha' | 'auto'): Promise<void> {
  await world.bed.hypervisors.patch(name, 'merge', { spec: { maintenance } });
}
