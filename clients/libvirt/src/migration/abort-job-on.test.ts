import { describe, expect, it } from 'vitest';

import { connect } from '../connect.ts';
import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { turns, until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { migrateToUri } from './migrate-to-uri.ts';

const OPERATION_INVALID = 55;
const OPERATION_ABORTED = 78;
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

describe('a job that is given up before the daemon has begun it', () => {
  it('is aborted as soon as there is something to abort', async () => {
    await using world = await fakeWorld();
    await world.giveUp();

    world.noJob(0);
    await world.pauseBegun();
    world.clock.advance(250);
    await until(() => world.aborts.length === 2);
    world.aborts[1]?.reply();
    world.perform?.fail(OPERATION_ABORTED, 'aborted by client');

    await expect(world.migration).rejects.toMatchObject({ code: 'aborted', cause: { message: 'aborted by client' } });
    expect(world.clock.waiting).toBe(0);
  });

  it('is not asked after any more when it has come to its end by itself', async () => {
    await using world = await fakeWorld();
    await world.giveUp();
    world.noJob(0);
    await world.pauseBegun();

    world.perform?.fail(9, 'no such host');

    await expect(world.migration).rejects.toMatchObject({ code: 'operation-failed', message: 'no such host' });
    expect({ aborts: world.aborts.length, timers: world.clock.waiting }).toEqual({ aborts: 1, timers: 0 });
  });

  it('is told to the daemon for a minute, and then goes on', async () => {
    await using world = await fakeWorld();
    await world.giveUp();
    world.noJob(0);
    await world.pauseBegun();
    world.clock.advance(59_999);
    await until(() => world.aborts.length === 2);
    world.noJob(1);
    await world.pauseBegun();
    world.clock.advance(250);

    // By now a third one would have arrived.
    await turns(20);
    world.perform?.reply({ payload: (writer) => writer.opaque(Buffer.alloc(0)) });

    await expect(world.migration).resolves.toBeUndefined();
    expect(world.aborts).toHaveLength(2);
  });

  it('is told once to a daemon that does not let this client abort anything', async () => {
    await using world = await fakeWorld();
    await world.giveUp();

    world.aborts[0]?.fail(29, 'read only');
    await turns(20);
    world.perform?.reply({ payload: (writer) => writer.opaque(Buffer.alloc(0)) });

    await expect(world.migration).resolves.toBeUndefined();
    expect({ aborts: world.aborts.length, timers: world.clock.waiting }).toEqual({ aborts: 1, timers: 0 });
  });
});

interface FakeWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly migration: Promise<void>;
  /** The call that moves the domain; the daemon answers it when the test does. */
  readonly perform: FakeCall | undefined;
  readonly aborts: readonly FakeCall[];
  /** Fires the signal of the migration, and waits until the daemon has been told. */
  giveUp(): Promise<void>;
  /** Answers an abort as a daemon does that has not begun. */
  noJob(abort: number): void;
  /** Waits until the next abort is due. */
  pauseBegun(): Promise<void>;
}

async function fakeWorld(): Promise<FakeWorld> {
  const performs: FakeCall[] = [];
  const aborts: FakeCall[] = [];
  const clock = new ManualClock();
  const controller = new AbortController();
  const daemon = await FakeDaemon.listen((call) => {
    (call.header.procedure === procedures.domainAbortJob.number ? aborts : performs).push(call);
  });
  const source = await connect(daemon.uri);
  const options = { domain, destinationUri: 'qemu+tcp://hv2/system', signal: controller.signal, clock };
  const migration = migrateToUri(source, options);
  migration.catch(() => undefined);
  return {
    clock,
    migration,
    aborts,
    get perform() {
      return performs[0];
    },
    giveUp: async () => {
      await until(() => performs.length === 1);
      controller.abort();
      await until(() => aborts.length === 1);
    },
    noJob: (abort) => aborts[abort]?.fail(OPERATION_INVALID, 'no job is active on the domain'),
    pauseBegun: () => until(() => clock.waiting === 1),
    [Symbol.asyncDispose]: async () => {
      source.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}
