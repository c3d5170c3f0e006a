import { expect, it } from 'vitest';

import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { isLongProcedure, LongCalls } from './long-calls.ts';

it('lets only so many run at once, the others in the order they came', async () => {
  const world = longWorld(2);
  const calls = ['a', 'b', 'c', 'd'].map((name) => world.start(name));
  await world.settle();
  const atFirst = [...world.running];

  world.finish('b');
  await world.settle();
  const afterOne = [...world.running];
  for (const name of ['a', 'c', 'd']) {
    world.finish(name);
    await world.settle();
  }

  expect({ atFirst, afterOne }).toEqual({ atFirst: ['a', 'b'], afterOne: ['a', 'c'] });
  await expect(Promise.all(calls)).resolves.toEqual(['a', 'b', 'c', 'd']);
});

it('passes the place of a failed call on', async () => {
  const world = longWorld(1);
  const first = world.start('first');
  const second = world.start('second');
  await world.settle();

  world.fail('first');
  await expect(first).rejects.toThrow('first');
  await world.settle();
  world.finish('second');

  await expect(second).resolves.toBe('second');
});

it('keeps the place of a call that was given up until the daemon is done with it', async () => {
  const world = longWorld(1);
  const first = world.start('first');
  const second = world.start('second');
  await world.settle();

  world.giveUp('first');
  await expect(first).rejects.toMatchObject({ code: 'timeout' });
  await world.settle();
  const atTheDaemon = [...world.running];
  world.finish('first');
  await world.settle();

  expect({ atTheDaemon, afterwards: world.running }).toEqual({ atTheDaemon: ['first'], afterwards: ['second'] });
  world.finish('second');
  await expect(second).resolves.toBe('second');
});

it('lets the end of a migration through at once, and starts no other call while there are too many', async () => {
  const world = longWorld(1);
  const perform = world.start('domainMigratePerform3Params');
  const finish = world.start('domainMigrateFinish3Params');
  const waiting = world.start('waiting');
  await world.settle();
  const atFirst = [...world.running];

  world.finish('domainMigratePerform3Params');
  await world.settle();
  const afterOne = [...world.running];
  world.finish('domainMigrateFinish3Params');
  await world.settle();

  expect({ atFirst, afterOne, afterBoth: world.running }).toEqual({
    atFirst: ['domainMigratePerform3Params', 'domainMigrateFinish3Params'],
    afterOne: ['domainMigrateFinish3Params'],
    afterBoth: ['waiting'],
  });
  world.finish('waiting');
  await Promise.all([perform, finish, waiting]);
});

it('counts the wait for a turn as part of the time limit', async () => {
  const world = longWorld(1);
  const first = world.start('first');
  const second = world.start('second', { timeoutMs: 100 });
  await world.settle();

  world.clock.advance(100);

  await expect(second).rejects.toMatchObject({ code: 'timeout', procedure: 'second' });
  world.finish('first');
  await first;
  const third = world.start('third');
  await world.settle();
  expect(world.running).toEqual(['third']);
  world.finish('third');
  await third;
});

it('counts the wait against the general time limit when the call names none', async () => {
  const world = longWorld(1, 100);
  const first = world.start('first', { timeoutMs: Infinity });
  const second = world.start('second');

  world.clock.advance(100);

  await expect(second).rejects.toMatchObject({ code: 'timeout', procedure: 'second' });
  world.finish('first');
  await first;
});

it('starts no call after it has been told to refuse, not even one whose turn has just come', async () => {
  const world = longWorld(1);
  const first = world.start('first');
  const admitted = world.start('admitted');
  const waiting = world.start('waiting');
  await world.settle();
  const refuse = (): void => world.longCalls.refuse(new LibvirtError('closed', 'the connection was closed'));

  world.fail('first');
  first.catch(refuse);

  await expect(admitted).rejects.toMatchObject({ code: 'closed', procedure: 'admitted' });
  await expect(waiting).rejects.toMatchObject({ code: 'closed', procedure: 'waiting' });
  expect(world.running).toEqual([]);
});

it('can be given up while it waits', async () => {
  const world = longWorld(1);
  const controller = new AbortController();
  const first = world.start('first');
  const second = world.start('second', { signal: controller.signal });

  controller.abort();

  await expect(second).rejects.toMatchObject({ code: 'aborted' });
  world.finish('first');
  await first;
  expect(world.running).toEqual([]);
});

it('loses no place to a call that is given up at the moment when its turn comes', async () => {
  const world = longWorld(1);
  const controller = new AbortController();
  const first = world.start('first');
  const second = world.start('second', { signal: controller.signal });
  await world.settle();

  world.finish('first');
  controller.abort();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'aborted' });
  const third = world.start('third');
  await world.settle();

  expect(world.running).toEqual(['third']);
  world.finish('third');
  await third;
});

it('knows the calls that take minutes by the names that calls really have', () => {
  const names = Object.keys(procedures).filter(isLongProcedure);

  expect(names).toEqual(expect.arrayContaining(['domainMigratePerform3Params', 'domainMigrateFinish3Params']));
  expect(names).toHaveLength(23);
  expect(isLongProcedure('domainGetInfo')).toBe(false);
});

interface OpenCall {
  readonly reply: PromiseWithResolvers<string>;
  readonly done: PromiseWithResolvers<void>;
}

function longWorld(max: number, callTimeoutMs?: number) {
  const clock = new ManualClock();
  const longCalls = new LongCalls({ max, callTimeoutMs }, clock);
  const open = new Map<string, OpenCall>();
  return {
    clock,
    longCalls,
    get running() {
      return [...open.keys()];
    },
    start: (name: string, options = {}) =>
      longCalls.run(name, options, () => {
        const [reply, done] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
        open.set(name, { reply, done });
        return { reply: reply.promise, done: done.promise };
      }),
    finish: (name: string) => {
      open.get(name)?.reply.resolve(name);
      open.get(name)?.done.resolve();
      open.delete(name);
    },
    fail: (name: string) => {
      open.get(name)?.reply.reject(new Error(name));
      open.get(name)?.done.resolve();
      open.delete(name);
    },
    /** The caller waits no longer, and the daemon works on. */
    giveUp: (name: string) => open.get(name)?.reply.reject(new LibvirtError('timeout', name)),
    settle: async () => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}
