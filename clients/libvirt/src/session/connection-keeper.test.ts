import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { ConnectionKeeper, type KeeperOptions } from './connection-keeper.ts';

describe('ConnectionKeeper', () => {
  it('tries until it is connected, with growing pauses, and tells each step', async () => {
    const world = new World([refused('one'), refused('two'), 'up']);
    const states = world.keeper.states();

    await world.keeper.nextLink({});
    await world.keeper.close();

    expect(await collect(states)).toMatchObject([
      { kind: 'connecting', attempt: 1 },
      { kind: 'waiting', attempt: 1, delayMs: 100, error: { message: 'one' } },
      { kind: 'connecting', attempt: 2 },
      { kind: 'waiting', attempt: 2, delayMs: 200, error: { message: 'two' } },
      { kind: 'connecting', attempt: 3 },
      { kind: 'connected', attempt: 3 },
      { kind: 'closed' },
    ]);
  });

  it('counts anew after a connection that held, and goes on counting after one that did not', async () => {
    const world = new World(['up', 'up', 'up'], { stableAfterMs: 1_000 });
    const states = world.keeper.states();

    (await world.keeper.nextLink({})).connection.lose();
    const second = await world.keeper.nextLink({});
    world.nowMs += 1_000;
    second.connection.lose();
    await world.keeper.nextLink({});
    await world.keeper.close();

    const steps = await collect(states);
    expect(steps.filter(({ kind }) => kind === 'waiting' || kind === 'connected')).toMatchObject([
      { kind: 'connected', attempt: 1 },
      { kind: 'waiting', delayMs: 100, error: { code: 'connection-lost' } },
      { kind: 'connected', attempt: 2 },
      { kind: 'waiting', delayMs: 100 },
      { kind: 'connected', attempt: 1 },
    ]);
  });

  it('gives up for good after the last attempt, and tells everyone why', async () => {
    const world = new World([refused('one'), refused('two')], { maxAttempts: 2 });
    const waiting = world.keeper.nextLink({});

    await expect(waiting).rejects.toMatchObject({ code: 'connect-failed', message: 'gave up after 2 attempts: two' });
    await expect(world.keeper.nextLink({})).rejects.toMatchObject({ message: 'gave up after 2 attempts: two' });
    expect(world.keeper.state).toMatchObject({ kind: 'closed', error: { cause: { message: 'two' } } });
    await world.keeper.close();
  });

  it.each(['invalid-arg', 'invalid-uri'] as const)('does not repeat an attempt that failed with %s', async (code) => {
    const world = new World([new LibvirtError(code, 'connectTimeoutMs: must be more than 0, is -1'), 'up']);

    await expect(world.keeper.nextLink({})).rejects.toMatchObject({
      code,
      message: 'gave up after 1 attempt: connectTimeoutMs: must be more than 0, is -1',
    });
    await world.keeper.close();
  });

  it('does not hand out a connection that has just broken', async () => {
    const world = new World(['up', 'up']);
    const first = await world.keeper.nextLink({});

    first.connection.lose();
    const second = world.keeper.nextLink({});

    expect(world.keeper.link).toBeUndefined();
    expect((await second).connection).not.toBe(first.connection);
    await world.keeper.close();
  });

  it('says what is wrong to those who waited too long, who gave up, and who are too many', async () => {
    const world = new World([refused('no route'), 'never'], { maxWaitingCalls: 2 });
    const controller = new AbortController();

    const slow = world.keeper.nextLink({ timeoutMs: 20, procedure: 'domainGetInfo' });
    const aborted = world.keeper.nextLink({ signal: controller.signal, procedure: 'domainGetInfo' });
    const third = world.keeper.nextLink({ procedure: 'domainGetInfo' });
    const subscription = world.keeper.nextLink({});
    controller.abort(new Error('enough'));

    await expect(third).rejects.toMatchObject({ code: 'queue-full' });
    await expect(aborted).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    await expect(slow).rejects.toMatchObject({
      code: 'timeout',
      message: 'no connection within 20 ms: no route',
      procedure: 'domainGetInfo',
    });
    await world.keeper.close();
    await expect(subscription).rejects.toMatchObject({ code: 'closed' });
  });

  it('closes while it waits for the next attempt', async () => {
    const world = new World([refused('one')], { delay: forever });
    const waiting = world.keeper.nextLink({});
    await world.reached('waiting');

    await world.keeper.close();

    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    expect(world.keeper.state).toEqual({ kind: 'closed' });
  });

  it('closes while it connects, and takes a connection that comes up too late down again', async () => {
    const late = Promise.withResolvers<FakeConnection>();
    const world = new World([], { open: () => late.promise });
    const closing = world.keeper.close();
    const connection = new FakeConnection();
    late.resolve(connection);

    await closing;

    expect(connection.reason?.code).toBe('closed');
    await expect(world.keeper.nextLink({})).rejects.toMatchObject({ code: 'closed' });
  });

  it('can be closed twice', async () => {
    const world = new World(['up']);
    await world.keeper.nextLink({});

    await Promise.all([world.keeper.close(), world.keeper.close()]);

    expect(world.keeper.state).toEqual({ kind: 'closed' });
  });
});

class FakeConnection {
  readonly #closed = Promise.withResolvers<LibvirtError>();
  readonly closed = this.#closed.promise;
  reason: LibvirtError | undefined;

  lose(): void {
    this.#end(new LibvirtError('connection-lost', 'the daemon closed the connection'));
  }

  async close(): Promise<void> {
    this.#end(new LibvirtError('closed', 'closed on purpose'));
  }

  #end(reason: LibvirtError): void {
    this.reason ??= reason;
    this.#closed.resolve(this.reason);
  }
}

/** A daemon that is up, refuses, or never answers, one outcome per attempt, and a clock that stands still. */
class World {
  nowMs = 0;
  readonly keeper: ConnectionKeeper<FakeConnection>;

  constructor(outcomes: (LibvirtError | 'up' | 'never')[], options: Partial<KeeperOptions<FakeConnection>> = {}) {
    this.keeper = new ConnectionKeeper<FakeConnection>({
      open: async (signal) => {
        const outcome = outcomes.shift() ?? 'never';
        if (outcome === 'never') return forever(0, signal);
        if (outcome === 'up') return new FakeConnection();
        throw outcome;
      },
      backOff: {},
      maxAttempts: Infinity,
      stableAfterMs: 10_000,
      maxWaitingCalls: 10,
      maxWaitingStates: 64,
      clock: { now: () => this.nowMs, schedule: (callback, delayMs) => systemClock.schedule(callback, delayMs) },
      now: () => new Date(this.nowMs),
      random: () => 1,
      delay: async () => undefined,
      ...options,
    });
  }

  async reached(kind: string): Promise<void> {
    for await (const state of this.keeper.states()) if (state.kind === kind) return;
  }
}

function forever(_delayMs: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted', { cause: signal.reason })));
  });
}

function refused(message: string): LibvirtError {
  return new LibvirtError('connect-failed', message);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
