import type { Eviction } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { conditionOf, quickSettings, startEvictionBed, stateOf, type EvictionBed } from './fixtures/eviction-bed.ts';

let world: EvictionBed;

beforeAll(async () => {
  const limits = { ...quickSettings.limits, liveTimeoutMs: 600, abortTimeoutMs: 2_000, graceMs: 700 };
  world = await startEvictionBed({ ...quickSettings, limits, timeoutMs: 1_000 });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('servers that do not move', { timeout: 30_000 }, () => {
  it('and hang are stopped, tried again, given up, and block nobody', async () => {
    const name = freshName('hanging');
    const stuck = { name: 'stuck', behaviour: { liveMigration: 'stuck' } } as const;
    const [bad = '', ...good] = await world.host(name, [stuck, 'a', 'b', 'c', 'd', 'e']);
    await world.evict(name);

    const others = await world.until(name, (each) => each.status?.progress?.moved === 5);
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    expect(others.status?.outstandingInstances).toEqual([bad]);
    expect(good.map((id) => world.asked(id))).toEqual([1, 1, 1, 1, 1]);
    expect(world.asked(bad)).toBe(3);
    expect(movesOf(bad)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(eviction.status?.instances).toMatchObject([{ id: bad, state: 'NonMigratable', attempts: 3 }]);
    expect(conditionOf(eviction)?.message).toContain(`${bad} (stuck): tried 3 times`);
  });

  it.each(['the annotation', 'another reason'])('are tried again by %s', async (way) => {
    const name = freshName('again');
    const [id = ''] = await world.host(name, [{ name: 'a', behaviour: { liveMigration: 'no-host' } }]);
    await world.evict(name);
    const failed = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    world.bed.cloud.behave({ liveMigration: 'succeeds' }, id);
    const annotated = { metadata: { annotations: { 'kvm.cloud.sap/retry': '' } } };
    await world.bed.evictions.patch(name, 'merge', way === 'the annotation' ? annotated : { spec: { reason: 'now' } });
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');
    const eviction = await world.until(
      name,
      ({ metadata }) => metadata.annotations?.['kvm.cloud.sap/retry'] === undefined,
    );

    expect(conditionOf(failed)?.message).toContain('tried 3 times');
    expect(world.asked(id)).toBe(4);
    expect(eviction.status?.progress).toMatchObject({ moved: 1, left: 0, failed: 0 });
  });

  it('because of a device are named before anything moves, and the others move', async () => {
    const name = freshName('devices');
    const flavor = { extraSpecs: { 'pci_passthrough:alias': 'gpu:1' } };
    const [id = '', other = ''] = await world.host(name, [{ name: 'gpu', flavor }, 'plain']);
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    expect(conditionOf(eviction, 'PreflightChecksSucceeded')).toMatchObject({ status: 'False', reason: 'Failed' });
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')?.message).toContain(
      `${id} (gpu): it cannot be moved while it runs`,
    );
    expect([world.asked(id), world.asked(other)]).toEqual([0, 1]);
  });

  it('for want of room hold back the rest, until there is room', async () => {
    const name = freshName('roomless');
    const flavor = { extraSpecs: { 'trait:CUSTOM_RARE': 'required' } };
    const [rare = '', plain = ''] = await world.host(name, [{ name: 'rare', flavor }, 'plain']);
    await world.evict(name);

    const held = await world.until(name, (each) => stateOf(each, 'PreflightChecksSucceeded') === 'False/Failed');
    const askedBefore = [rare, plain].map((id) => world.asked(id));
    world.bed.cloud.addHost({ name: 'rare-target', traits: ['CUSTOM_RARE'] });
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(stateOf(held)).toBe('True/Running');
    expect(conditionOf(held, 'PreflightChecksSucceeded')?.message).toMatch(
      /rare\): it needs 1 CPUs.*CUSTOM_RARE.*no other enabled host has that; make room on other hosts/,
    );
    expect(askedBefore).toEqual([0, 0]);
    expect(world.bed.cloud.server(rare)?.host).toBe('rare-target');
  });

  it('because their owner has not confirmed a resize are not confirmed for him', async () => {
    const name = freshName('resized');
    const [id = ''] = await world.host(name, [{ name: 'a', status: 'VERIFY_RESIZE' }, 'b']);
    await world.evict(name);

    const eviction = await world.until(name, (each) => each.status?.progress?.moved === 1);

    expect(eviction.status).toMatchObject({ outstandingInstances: [id], instances: [{ id, state: 'Waiting' }] });
    expect(world.bed.cloud.server(id)?.status).toBe('VERIFY_RESIZE');
    expect(
      world.bed.cloud.calls.filter(({ path, body }) => path.includes(id) && body.includes('confirmResize')),
    ).toEqual([]);
  });
});

describe('a request that is never answered well', { timeout: 30_000 }, () => {
  it('is given up like any other, and told meanwhile', async () => {
    const name = freshName('always-500');
    const [bad = '', good = ''] = await world.host(name, ['bad', 'good']);
    using _ = world.bed.cloud.inject({ path: `/servers/${bad}/action`, effect: answer(500) });
    await world.evict(name);

    const again = await world.until(name, (each) => stateIn(each, bad) === 'Moving 2', 20_000);
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed', 20_000);

    expect(again.status?.instances?.[0]?.message).toMatch(/^last time: no move was heard of: failed to evict VM/v);
    expect(eviction.status?.instances).toMatchObject([{ id: bad, state: 'NonMigratable', attempts: 3 }]);
    expect(conditionOf(eviction)?.message).toContain('tried 3 times, last: no move was heard of');
    expect([world.asked(bad), world.asked(good)]).toEqual([3, 1]);
  });
});

const answer = (status: number, retryAfterSeconds?: number) =>
  ({ kind: 'answer', status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }) as const;

describe('a cloud that fails', { timeout: 30_000 }, () => {
  it.each([
    ['answers 500 to moves', { path: /action$/, effect: answer(500) }],
    ['answers 503 to moves', { path: /action$/, effect: answer(503) }],
    ['answers 429 to moves', { path: /action$/, effect: answer(429, 1) }],
    ['answers 409 to moves', { path: /action$/, effect: answer(409) }],
    ['answers 404 to moves', { path: /action$/, effect: answer(404) }],
    ['hangs up before it begins a move', { path: /action$/, effect: { kind: 'drop', when: 'before' } }],
    ['hangs up after it began a move', { path: /action$/, effect: { kind: 'drop', when: 'after' } }],
    ['never answers to a move', { path: /action$/, effect: { kind: 'hang', when: 'after' } }],
    ['answers 500 to listings of servers', { path: '/servers/detail', effect: answer(500) }],
    ['answers 503 to listings of moves', { path: '/os-migrations', effect: answer(503) }],
    ['never answers to a listing', { path: '/servers/detail', effect: { kind: 'hang' } }],
    ['answers 500 to questions for room', { service: 'placement', effect: answer(500) }],
  ] as const)('and %s is asked again, and no server moves twice', async (what, fault) => {
    const name = freshName('fault');
    // A shape of its own, so that nobody has looked for room for it before.
    const flavor = { memoryMiB: 600 + what.length };
    const ids = await world.host(
      name,
      ['a', 'b', 'c'].map((each) => ({ name: each, flavor })),
    );
    using injected = world.bed.cloud.inject({ ...fault, times: 2 });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded', 20_000);

    expect(injected.hits).toBeGreaterThan(0);
    expect(eviction.status?.progress).toMatchObject({ total: 3, moved: 3, left: 0, failed: 0 });
    expect(ids.map((id) => movesOf(id))).toEqual([['completed'], ['completed'], ['completed']]);
  });

  it('is told in the status while it does', async () => {
    const name = freshName('broken');
    await world.host(name, ['a']);
    const injected = world.bed.cloud.inject({ path: '/servers/detail', effect: answer(500) });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each, 'PreflightChecksSucceeded') === 'False/Failed');
    injected.clear();
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(stateOf(eviction)).toBe('True/Running');
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')?.message).toContain('/servers/detail');
  });

  it('by forgetting who we are is told again', async () => {
    const name = freshName('expired');
    const behaviour = { liveMigrationMs: 150 };
    const ids = await world.host(
      name,
      Array.from({ length: 9 }, (_, index) => ({ name: `s${index}`, behaviour })),
    );
    await world.evict(name);
    await world.until(name, (each) => (each.status?.progress?.moved ?? 0) >= 3);

    world.bed.cloud.expireTokens();
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(ids.map((id) => movesOf(id))).toEqual(ids.map(() => ['completed']));
  });
});

function stateIn({ status }: Eviction, id: string): string {
  const memory = status?.instances?.find((each) => each.id === id);
  return `${memory?.state} ${memory?.attempts}`;
}

function movesOf(id: string): readonly string[] {
  return world.bed.cloud.moves().flatMap(({ serverId, status }) => (serverId === id ? [status] : []));
}
