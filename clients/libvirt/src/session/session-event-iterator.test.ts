import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import type { SubscribeOptions } from '../events/event-hub.ts';
import { createEventIterator, type EventIterator } from '../events/event-iterator.ts';
import { EventQueue } from '../events/event-queue.ts';
import { turns } from '../fake-daemon/turns.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { ConnectionKeeper } from './connection-keeper.ts';
import { type SessionEventIterator, Subscription } from './session-event-iterator.ts';

describe('Subscription', () => {
  it('gives the events of each connection, and a mark in between with the times and the attempt', async () => {
    await using world = new World();
    const events = await world.subscribe();
    const registration = world.holdRegistrations();
    world.current.queue.push({ kind: 'ping', number: 1 });
    world.nowMs = 1_000;
    world.current.lose();
    await registration.asked;
    world.nowMs = 2_000;
    registration.confirm();

    const taken = [await events.next(), await events.next()];
    world.current.queue.push({ kind: 'ping', number: 2 });
    taken.push(await events.next());

    expect(taken.map(({ value }) => value)).toEqual([
      { kind: 'ping', number: 1 },
      { kind: 'resubscribed', lostAt: new Date(1_000), restoredAt: new Date(2_000), attempt: 2 },
      { kind: 'ping', number: 2 },
    ]);
  });

  it('keeps no more bytes than it may for a reader who is slow, over all connections', async () => {
    await using world = new World();
    const events = await world.subscribe({ maxQueuedBytes: 100 });
    for (const number of [1, 2]) world.current.queue.push({ kind: 'ping', number }, 40);
    world.current.lose();
    await world.upAgain();
    await turns(1);
    for (const number of [3, 4]) world.current.queue.push({ kind: 'ping', number }, number * 5);
    await turns(1);

    const taken: unknown[] = [];
    for (let turn = 0; turn < 5; turn++) taken.push((await events.next()).value);

    expect(taken).toMatchObject([
      { number: 1 },
      { number: 2 },
      { kind: 'resubscribed' },
      { number: 3 },
      { kind: 'overflow', dropped: 1 },
    ]);
  });

  it('tries again when the new connection is lost during the registration', async () => {
    await using world = new World();
    const events = await world.subscribe();
    world.outcomes.push('lost', 'lost', 'up');
    world.current.lose();

    expect(await events.next()).toMatchObject({ value: { kind: 'resubscribed' } });
    expect(world.outcomes).toEqual([]);
  });

  it('goes on after the daemon broke the protocol, which ends a connection too', async () => {
    await using world = new World();
    const events = await world.subscribe();

    world.current.lose(new LibvirtError('protocol', 'nonsense'));

    expect(await events.next()).toMatchObject({ value: { kind: 'resubscribed' } });
  });

  it('throws once what the daemon refuses, and is over then', async () => {
    await using world = new World();
    const events = await world.subscribe();
    world.outcomes.push('unsupported');
    world.current.lose();

    await expect(events.next()).rejects.toMatchObject({ code: 'unsupported' });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('ends the registration of the connection that is up when the reader leaves', async () => {
    await using world = new World();
    const events = await world.subscribe();
    world.current.lose();
    await events.next();
    const before = world.current.registrations;

    await events.return();

    expect([before, world.current.registrations]).toEqual([1, 0]);
  });

  it('answers several waiting readers one after the other', async () => {
    await using world = new World();
    const events = await world.subscribe();

    const waiting = [events.next(), events.next(), events.next()];
    world.current.queue.push({ kind: 'ping', number: 1 });
    world.current.lose();
    await world.upAgain();
    await waiting[1];
    world.current.queue.push({ kind: 'ping', number: 2 });

    expect(await Promise.all(waiting)).toMatchObject([
      { value: { number: 1 } },
      { value: { kind: 'resubscribed' } },
      { value: { number: 2 } },
    ]);
  });
});

interface Ping {
  readonly kind: 'ping';
  readonly number: number;
}

class FakeConnection {
  readonly #closed = Promise.withResolvers<LibvirtError>();
  readonly closed = this.#closed.promise;
  readonly queue = new EventQueue<Ping>(10);
  registrations = 0;
  reason: LibvirtError | undefined;

  lose(reason: LibvirtError = new LibvirtError('connection-lost', 'the daemon closed the connection')): void {
    this.reason ??= reason;
    this.queue.end(this.reason.code === 'closed' ? undefined : this.reason);
    this.#closed.resolve(this.reason);
  }

  async close(): Promise<void> {
    this.lose(new LibvirtError('closed', 'closed on purpose'));
  }
}

type Outcome = 'up' | 'lost' | 'unsupported';

/** Connections that always come up, and registrations that go as `outcomes` says, or well. */
class World implements AsyncDisposable {
  nowMs = 0;
  current = new FakeConnection();
  readonly outcomes: Outcome[] = [];
  #asked: (() => void) | undefined;
  #held: Promise<void> = Promise.resolve();
  readonly #keeper = new ConnectionKeeper<FakeConnection>({
    open: async () => {
      this.current = new FakeConnection();
      return this.current;
    },
    backOff: {},
    maxAttempts: Infinity,
    stableAfterMs: 1_000_000,
    maxWaitingCalls: 10,
    maxWaitingStates: 64,
    clock: { now: () => this.nowMs, schedule: (callback, delayMs) => systemClock.schedule(callback, delayMs) },
    now: () => new Date(this.nowMs),
    random: () => 1,
    delay: async () => undefined,
  });

  async subscribe(options: SubscribeOptions = {}): Promise<SessionEventIterator<Ping>> {
    const link = await this.#keeper.nextLink({});
    const parts = {
      keeper: this.#keeper,
      now: () => new Date(this.nowMs),
      options,
      subscribe: (connection: FakeConnection, { signal }: SubscribeOptions) => this.#register(connection, signal),
    };
    return Subscription.start(parts, link);
  }

  async upAgain(): Promise<void> {
    await this.#keeper.nextLink({});
  }

  holdRegistrations(): { readonly asked: Promise<void>; confirm(): void } {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    this.#asked = asked.resolve;
    this.#held = held.promise;
    return { asked: asked.promise, confirm: held.resolve };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keeper.close();
  }

  async #register(connection: FakeConnection, signal: AbortSignal | undefined): Promise<EventIterator<Ping>> {
    this.#asked?.();
    await this.#held;
    const outcome = this.outcomes.shift() ?? 'up';
    if (outcome === 'lost') {
      connection.lose();
      throw new LibvirtError('connection-lost', 'register: the daemon closed the connection');
    }
    if (outcome === 'unsupported') throw new LibvirtError('unsupported', 'events of kind ping');
    connection.registrations += 1;
    signal?.addEventListener('abort', () => connection.queue.end(new LibvirtError('aborted', 'given up')));
    const deregister = async (): Promise<void> => {
      connection.registrations -= 1;
    };
    return createEventIterator({ queue: connection.queue, skipped: [], skipReasons: [], deregister });
  }
}
