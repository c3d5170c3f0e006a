import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LeaseWorld, type Network } from './fixtures/lease-world.ts';
import { LeaderElection } from './leader-election.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 10_000;
const MINUTE = 60_000;

describe('LeaderElection', () => {
  it('lets one of two lead, and the other once the first has given up', async () => {
    const world = new LeaseWorld();
    const [first, second] = [world.candidate('first'), world.candidate('second')];
    await world.clock.advance(MINUTE);
    expect(world.leaders()).toEqual(['first']);

    first.stopping.abort();
    await world.clock.advance(5_000);

    expect(world.leaders()).toEqual(['second']);
    expect(world.lease?.spec).toMatchObject({
      holderIdentity: 'second',
      leaseTransitions: 1,
      leaseDurationSeconds: 15,
    });
    await world.stop([first, second]);
    expect([await first.hasLed, await second.hasLed]).toEqual([true, true]);
  });

  it('hands over after the lease when the leader vanishes', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);
    const second = world.candidate('second');
    first.network = 'stuck';

    await world.clock.advance(RENEW_MS);
    expect(world.leaders()).toEqual([]);
    await world.clock.advance(LEASE_MS);

    expect(world.leaders()).toEqual(['second']);
    await world.stop([first, second]);
  });

  it('stops leading when renewals fail for the time it has', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);

    first.network = 'failing';
    await world.clock.advance(RENEW_MS - 2_000);
    expect(world.leaders()).toEqual(['first']);
    await world.clock.advance(2_000);

    expect(world.leaders()).toEqual([]);
    expect(first.failures).not.toEqual([]);
    await world.stop([first]);
  });

  it('counts from when a renewal was sent, not from when its answer came', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);

    first.network = 'late-answer';
    await world.clock.advance(9_000);
    first.network = 'stuck';
    await world.clock.advance(2_500);

    expect(world.leaders()).toEqual([]);
    await world.stop([first]);
  });

  it('survives failures that are shorter than that', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);

    first.network = 'failing';
    await world.clock.advance(RENEW_MS - 3_000);
    first.network = 'good';
    await world.clock.advance(MINUTE);

    expect(world.leaders()).toEqual(['first']);
    await world.stop([first]);
  });

  it('stops at once when somebody else holds the lease', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);

    world.steal('thief');
    await world.clock.advance(2_500);

    expect(world.leaders()).toEqual([]);
    expect(world.lease?.spec.holderIdentity).toBe('thief');
    await world.stop([first]);
  });

  it('is known not to hold the lease any more once the time to renew is over, by either clock, whatever was heard', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    expect(first.election.holdsLease()).toBe(false);
    await world.clock.advance(1_000);
    const isHeld = first.election.holdsLease();

    // It sleeps: no timer of it has gone off yet.
    world.clock.wallOffset += RENEW_MS + 1_000;
    const isHeldAfterSleep = first.election.holdsLease();
    await world.clock.advance(2_500);
    const isHeldAgain = first.election.holdsLease();
    world.steal('thief');
    await world.clock.advance(2_500);

    expect([isHeld, isHeldAfterSleep, isHeldAgain, first.election.holdsLease()]).toEqual([true, false, true, false]);
    await world.stop([first]);
  });

  it('renews by one request each time, and looks again once somebody has touched the lease', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first');
    await world.clock.advance(1_000);
    const before = [...world.requests];

    await world.clock.advance(6_000);
    const renewals = world.requests.slice(before.length);
    world.steal('first');
    await world.clock.advance(2_000);
    const afterTouch = world.requests.slice(before.length + renewals.length);
    world.lease = undefined;
    await world.clock.advance(2_000);

    expect(before).toEqual(['get', 'create']);
    expect(renewals).toEqual(['replace', 'replace', 'replace']);
    expect(afterTouch).toEqual(['replace', 'get', 'replace']);
    expect(world.requests.slice(-3)).toEqual(['replace', 'get', 'create']);
    expect(world.leaders()).toEqual(['first']);
    await world.stop([first]);
  });

  it('renews as seldom as it may, and tries again soon where that failed', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { renewMs: 6_000 });
    await world.clock.advance(1_000);
    const before = world.requests.length;

    await world.clock.advance(10_000);
    first.network = 'failing';
    await world.clock.advance(1_500);
    first.network = 'good';
    await world.clock.advance(2_000);

    expect(world.requests.slice(before)).toEqual(['replace', 'replace', 'get', 'replace']);
    expect(first.failures).toHaveLength(1);
    expect(world.leaders()).toEqual(['first']);
    await world.stop([first]);
  });

  it.each([
    { random: () => 0.5, at: [1_500, 4_200, 6_900, 9_600] },
    { random: () => 1, at: [3_000, 6_000, 9_000] },
  ])('spreads renewals, the first one most, so that those of a fleet come apart', async ({ random, at }) => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { renewMs: 3_000, random });

    const renewed = await timesOfRenewals(world, 10_000);

    expect(renewed).toEqual(at);
    await world.stop([first]);
  });

  it('spreads the renewals of those that an outage has brought together', async () => {
    const world = new LeaseWorld();
    const draws = [1, 0.5, 0.5];
    const first = world.candidate('first', { renewMs: 5_000, random: () => draws.shift() ?? 1 });
    await world.clock.advance(4_000);
    first.network = 'failing';
    await world.clock.advance(2_000);
    first.network = 'good';

    const renewed = await timesOfRenewals(world, 8_000);

    // The retry goes well at 7 s; the renewal after it does not wait for 5 s more.
    expect(renewed.map((at) => at + 6_000)).toEqual([7_000, 9_500, 14_000]);
    await world.stop([first]);
  });

  it('tells who leads and what is written beside it, until that one was not heard for as long as a lease', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { annotations: { place: 'here' } });
    const second = world.candidate('second', { annotations: { place: 'there' } });
    const before = second.election.holder();
    await world.clock.advance(3_000);
    const [own, told] = [first.election.holder(), second.election.holder()];

    second.network = 'failing';
    await world.clock.advance(LEASE_MS + 2_000);
    const unheard = second.election.holder();
    second.network = 'good';
    await world.clock.advance(3_000);
    first.stopping.abort();
    await world.clock.advance(5_000);

    expect([before, own, told, unheard]).toEqual([
      undefined,
      { identity: 'first', annotations: { place: 'here' } },
      { identity: 'first', annotations: { place: 'here' } },
      undefined,
    ]);
    expect(second.election.holder()).toEqual({ identity: 'second', annotations: { place: 'there' } });
    expect(world.lease?.metadata.annotations).toEqual({ place: 'there' });
    await world.stop([first, second]);
  });

  it('goes on renewing while what it led comes to its end', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { stopMs: MINUTE });
    const second = world.candidate('second');
    await world.clock.advance(1_000);

    first.stopping.abort();
    await world.clock.advance(MINUTE - 1_000);
    expect(world.leaders()).toEqual(['first']);
    await world.clock.advance(5_000);

    expect(world.leaders()).toEqual(['second']);
    await world.stop([first, second]);
  });

  it('does not give the lease up when what it led failed to stop', async () => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { error: new Error('still running') });
    await world.clock.advance(1_000);

    first.stopping.abort();
    await world.clock.advance(1_000);

    await expect(first.hasLed).rejects.toThrow('still running');
    expect(world.lease?.spec.holderIdentity).toBe('first');
  });

  it.each([-MINUTE * 60, MINUTE * 60])('does not care that the clock of the leader is off by %d ms', async (offset) => {
    const world = new LeaseWorld();
    const first = world.candidate('first', { wallOffset: offset });
    await world.clock.advance(1_000);
    const second = world.candidate('second');

    await world.clock.advance(5 * MINUTE);

    expect(world.leaders()).toEqual(['first']);
    await world.stop([first, second]);
  });

  it('refuses times that could make two lead', () => {
    const options = { name: 'l', namespace: 'n', identity: 'i', onFailure: () => {} };
    const { client } = new LeaseWorld().candidate('unused');

    expect(() => new LeaderElection(client, { ...options, leaseMs: 10_000 })).toThrow(RangeError);
    expect(() => new LeaderElection(client, { ...options, renewMs: 10_000 })).toThrow(RangeError);
  });

  it('never has two leaders at the same time, whatever the network does', async () => {
    const network = fc.constantFrom<Network>('good', 'failing', 'late-answer', 'lost-answer', 'slow', 'stuck');
    const step = fc.record({ who: fc.nat({ max: 2 }), network, afterMs: fc.integer({ min: 100, max: 12_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const world = new LeaseWorld();
        const candidates = ['a', 'b', 'c'].map((name, index) =>
          world.candidate(name, { stopMs: 4_000, wallOffset: index * 77_777, renewMs: 2_000 + index * 3_000 }),
        );

        for (const each of steps) {
          const candidate = candidates[each.who];
          if (candidate !== undefined) candidate.network = each.network;
          await world.clock.advance(each.afterMs);
        }

        await world.stop(candidates);
        expect(world.mostLeaders).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});

/** When the Lease was renewed, counted from now. */
async function timesOfRenewals(world: LeaseWorld, forMs: number): Promise<readonly number[]> {
  const found: number[] = [];
  await world.clock.advance(0);
  let before = world.lease?.spec.renewTime;
  for (let at = 100; at <= forMs; at += 100) {
    await world.clock.advance(100);
    if (world.lease?.spec.renewTime !== before) found.push(at);
    before = world.lease?.spec.renewTime;
  }
  return found;
}
