import { describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { conditionOf, quickSettings, startEvictionBed, stateOf } from './fixtures/eviction-bed.ts';

const LONG_MS = 60_000;

describe('servers that Nova leaves out, as it cannot reach their cell', { timeout: 30_000 }, () => {
  it('while they move have not left, and the eviction goes on when they are back', async () => {
    // The host is taken for what it was a moment ago, so that its cell is missed at the lists alone.
    await using world = await startEvictionBed({ ...quickSettings, preflightMs: LONG_MS });
    const { cloud } = world.bed;
    const name = freshName('lost-cell');
    const behaviour = { liveMigrationMs: LONG_MS };
    const [id = ''] = await world.host(name, [{ name: 'a', behaviour }]);
    await world.evict(name);
    await world.until(name, (each) => each.status?.progress?.moving === 1);
    await expect.poll(() => cloud.moves().map(({ status }) => status)).toEqual(['running']);

    cloud.changeHost(name, { isReachable: false });
    const blind = await world.until(
      name,
      (each) => stateOf(each, 'MigratingInstance') === 'False/Failed' || stateOf(each) === 'False/Succeeded',
    );
    const hostMeanwhile = cloud.server(id)?.host;
    cloud.changeHost(name, { isReachable: true });
    await world.finishMoves(name);
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded', 20_000);

    expect([stateOf(blind), hostMeanwhile]).toEqual(['True/Running', name]);
    expect(conditionOf(blind, 'MigratingInstance')?.message).toContain(`the cell of ${name} cannot be reached`);
    expect(blind.status).toMatchObject({ outstandingInstances: [id], progress: { moved: 0, left: 1 } });
    expect(eviction.status?.progress).toMatchObject({ moved: 1, left: 0 });
    expect([world.asked(id), cloud.server(id)?.host]).toEqual([1, expect.stringMatching(/^target-/)]);
  });

  it('from the first list alone, and from no other, are moved before it is said that all have left', async () => {
    await using world = await startEvictionBed();
    const { cloud } = world.bed;
    const name = freshName('one-query');
    const [id = ''] = await world.host(name, ['a']);
    using fault = cloud.inject({ path: '/servers/detail', times: 1, effect: { kind: 'cells-away' } });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded', 20_000);

    expect(cloud.server(id)?.host).toMatch(/^target-/);
    expect(fault.hits).toBe(1);
    expect(eviction.status?.progress).toMatchObject({ moved: 1, left: 0 });
  });
});

describe('a host that is dead and empty', { timeout: 30_000 }, () => {
  it('has been left by all', async () => {
    await using world = await startEvictionBed();
    const name = freshName('dead');
    await world.host(name, [], { isUp: false });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(eviction.status?.progress).toMatchObject({ left: 0 });
  });
});
