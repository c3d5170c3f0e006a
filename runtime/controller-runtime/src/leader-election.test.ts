import { KubeError } from '@smalt/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Clock } from './clock.ts';
import { LeaderElection, type LeaseClient } from './leader-election.ts';
import type { Lease } from './lease.ts';
import { TestClock } from './test-clock.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 10_000;
const MINUTE = 60_000;

describe('LeaderElection', () => {
  it('lets one of two lead, and the other once the first has given up', async () => {
    const world = new World();
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
    const world = new World();
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
    const world = new World();
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
    const world = new World();
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
    const world = new World();
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
    const world = new World();
    const first = world.candidate('first');
    await world.clock.advance(1_000);

    world.steal('thief');
    await world.clock.advance(2_500);

    expect(world.leaders()).toEqual([]);
    expect(world.lease?.spec.holderIdentity).toBe('thief');
    await world.stop([first]);
  });

  it('is known not to hold the lease any more once the time to renew is over, by either clock, whatever was heard', async () => {
    const world = new World();
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
    const world = new World();
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

  it('goes on renewing while what it led comes to its end', async () => {
    const world = new World();
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
    const world = new World();
    const first = world.candidate('first', { error: new Error('still running') });
    await world.clock.advance(1_000);

    first.stopping.abort();
    await world.clock.advance(1_000);

    await expect(first.hasLed).rejects.toThrow('still running');
    expect(world.lease?.spec.holderIdentity).toBe('first');
  });

  it.each([-MINUTE * 60, MINUTE * 60])('does not care that the clock of the leader is off by %d ms', async (offset) => {
    const world = new World();
    const first = world.candidate('first', { wallOffset: offset });
    await world.clock.advance(1_000);
    const second = world.candidate('second');

    await world.clock.advance(5 * MINUTE);

    expect(world.leaders()).toEqual(['first']);
    await world.stop([first, second]);
  });

  it('refuses times that could make two lead', () => {
    const options = { name: 'l', namespace: 'n', identity: 'i', onFailure: () => {} };
    const { client } = new World().candidate('unused');

    expect(() => new LeaderElection(client, { ...options, leaseMs: 10_000 })).toThrow(RangeError);
  });

  it('never has two leaders at the same time, whatever the network does', async () => {
    const network = fc.constantFrom<Network>('good', 'failing', 'late-answer', 'lost-answer', 'slow', 'stuck');
    const step = fc.record({ who: fc.nat({ max: 2 }), network, afterMs: fc.integer({ min: 100, max: 12_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const world = new World();
        const candidates = ['a', 'b', 'c'].map((name, index) =>
          world.candidate(name, { stopMs: 4_000, wallOffset: index * 77_777 }),
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

type Network = 'good' | 'failing' | 'late-answer' | 'lost-answer' | 'slow' | 'stuck';

interface Candidate {
  network: Network;
  hasLed: Promise<boolean>;
  readonly stopping: AbortController;
  readonly failures: readonly unknown[];
  readonly client: LeaseClient;
  readonly election: LeaderElection;
}

interface CandidateOptions {
  /** How long what is led goes on after it was told to stop. */
  readonly stopMs?: number;
  readonly wallOffset?: number;
  /** What it fails with when it was told to stop. */
  readonly error?: Error;
}

/** A store with one lease, and candidates whose ways to it can be disturbed. */
class World {
  readonly clock = new TestClock();
  lease: Lease | undefined;
  mostLeaders = 0;
  /** What candidates have asked for. */
  readonly requests: string[] = [];
  #version = 0;
  readonly #leading = new Set<string>();

  leaders(): readonly string[] {
    return [...this.#leading];
  }

  steal(holderIdentity: string): void {
    if (this.lease !== undefined) this.#put({ ...this.lease, spec: { ...this.lease.spec, holderIdentity } });
  }

  candidate(identity: string, options: CandidateOptions = {}): Candidate {
    const stopping = new AbortController();
    const failures: unknown[] = [];
    const client = this.#client(() => candidate.network);
    const election = new LeaderElection(client, {
      name: 'lease',
      namespace: 'n',
      identity,
      clock: offClock(this.clock, options.wallOffset ?? 0),
      onFailure: (error) => failures.push(error),
    });
    const candidate: Candidate = {
      network: 'good',
      stopping,
      failures,
      client,
      election,
      hasLed: Promise.resolve(false),
    };
    candidate.hasLed = this.#runAgain(election, identity, options, stopping.signal);
    candidate.hasLed.catch(() => undefined);
    return candidate;
  }

  async stop(candidates: readonly Candidate[]): Promise<void> {
    for (const { stopping } of candidates) stopping.abort();
    await this.clock.advance(5 * MINUTE);
    await Promise.all(candidates.map(({ hasLed }) => hasLed));
  }

  async #runAgain(election: LeaderElection, identity: string, options: CandidateOptions, signal: AbortSignal) {
    let hasLed = false;
    while (!signal.aborted) {
      hasLed = (await election.run((leading) => this.#lead(identity, options, leading), signal)) || hasLed;
    }
    return hasLed;
  }

  async #lead(identity: string, { stopMs = 0, error }: CandidateOptions, signal: AbortSignal): Promise<void> {
    this.#leading.add(identity);
    this.mostLeaders = Math.max(this.mostLeaders, this.#leading.size);
    await this.clock.wait(Number.MAX_SAFE_INTEGER, signal).catch(() => undefined);
    if (stopMs > 0) await this.clock.wait(stopMs);
    this.#leading.delete(identity);
    if (error !== undefined) throw error;
  }

  #client(network: () => Network): LeaseClient {
    const through = <T>(name: string, signal: AbortSignal | undefined, act: () => T) => {
      this.requests.push(name);
      return this.#send(network(), signal, act);
    };
    return {
      get: (_name, options) => through('get', options?.signal, () => this.#get()),
      create: (draft, options) =>
        through('create', options?.signal, () => {
          if (this.lease !== undefined) throw new KubeError('already-exists', 'there is one');
          const { namespace = '', name = '' } = draft.metadata;
          return this.#put({
            apiVersion: '',
            kind: 'Lease',
            metadata: { name, namespace, uid: 'u' },
            spec: draft.spec,
          });
        }),
      replace: (lease, options) =>
        through('replace', options?.signal, () => {
          const isCurrent = lease.metadata.resourceVersion === this.#get().metadata.resourceVersion;
          if (!isCurrent) throw new KubeError('conflict', 'somebody was faster');
          return this.#put(lease);
        }),
    };
  }

  async #send<T>(network: Network, signal: AbortSignal | undefined, act: () => T): Promise<T> {
    signal?.throwIfAborted();
    if (network === 'failing') throw new KubeError('connection', 'no way');
    if (network === 'stuck') await this.clock.wait(Number.MAX_SAFE_INTEGER, signal);
    if (network === 'slow') await this.clock.wait(3_000, signal);
    const before: unknown = this.lease;
    const result: T = act();
    if (network === 'slow') await this.clock.wait(3_000, signal);
    if (network === 'late-answer' && result !== before) await this.clock.wait(7_000, signal);
    if (network === 'lost-answer') throw new KubeError('connection', 'no answer');
    return result;
  }

  #get(): Lease {
    if (this.lease === undefined) throw new KubeError('not-found', 'there is none');
    return this.lease;
  }

  #put(lease: Lease): Lease {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return this.lease;
  }
}

function offClock(clock: TestClock, offset: number): Clock {
  return {
    now: () => clock.now() + offset,
    monotonic: () => clock.monotonic() + offset,
    wait: (milliseconds, signal) => clock.wait(milliseconds, signal),
    later: (milliseconds, run) => clock.later(milliseconds, run),
  };
}
