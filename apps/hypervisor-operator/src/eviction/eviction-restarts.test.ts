import { expect, it } from 'vitest';

import { quickSettings, startEvictionBed, stateOf, type EvictionBed } from './fixtures/eviction-bed.ts';

const limits = { ...quickSettings.limits, perHost: 2, graceMs: 500 };

it(
  'goes on where it was when it is killed at every step, and asks for no move twice',
  { timeout: 90_000 },
  async () => {
    await using world = await startEvictionBed({ ...quickSettings, limits });
    const live = Array.from({ length: 6 }, (_, index) => ({
      name: `s${index}`,
      behaviour: { liveMigrationMs: 3_600_000 },
    }));
    const ids = await world.host('killed', [...live, { name: 'cold', status: 'SHUTOFF' }]);
    await world.evict('killed');
    let kills = 0;

    // After each write, which is before the requests that it tells of; and after each request, which nothing tells of yet.
    while (!(await isOverAfter(world, kills % 2 === 0 ? 'a write' : 'a request'))) {
      await world.bed.restartOperator();
      kills += 1;
    }

    // Two move at a time, and none arrives before it was looked whether there is reason to kill.
    expect(kills).toBeGreaterThanOrEqual(live.length / limits.perHost);
    expect(ids.map((id) => movesOf(world, id))).toEqual([...live.map(() => ['completed']), ['confirmed']]);
    expect(world.bed.cloud.serversOn('killed')).toEqual([]);
  },
);

/** Resolves with true when the eviction is done, and with false when the next thing has happened. */
async function isOverAfter(world: EvictionBed, what: 'a write' | 'a request'): Promise<boolean> {
  const before = await world.bed.evictions.get('killed');
  const asked = requests(world);
  for (;;) {
    const now = await world.bed.evictions.get('killed');
    if (stateOf(now) === 'False/Succeeded') return true;
    const hasWritten = now.metadata.resourceVersion !== before.metadata.resourceVersion;
    if (what === 'a write' ? hasWritten : requests(world) > asked) return false;
    await world.finishMoves('killed');
  }
}

function requests({ bed }: EvictionBed): number {
  return bed.cloud.countOf(/compute POST \/servers\/[^/]+\/action$/);
}

function movesOf({ bed }: EvictionBed, id: string): readonly string[] {
  return bed.cloud.moves().flatMap(({ serverId, status }) => (serverId === id ? [status] : []));
}
