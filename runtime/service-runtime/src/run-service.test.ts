import { EventEmitter } from 'node:events';

import { describe, expect, it } from 'vitest';

import { createLogger, runService, untilAborted, type ServiceOptions } from './index.ts';

describe('runService', () => {
  it('fires the signal on SIGTERM and then closes the resources in reverse order', async () => {
    const world = fakeWorld();
    const closed: string[] = [];

    const running = runService(world.options, async ({ signal, resources }) => {
      resources.defer(() => void closed.push('first'));
      resources.defer(() => void closed.push('second'));
      world.signal('SIGTERM');
      await untilAborted(signal);
    });

    expect(await running).toBe(0);
    expect(closed).toEqual(['second', 'first']);
    expect(world.exits).toEqual([]);
    expect(world.listeners()).toBe(0);
  });

  it('takes the end of a wait that its own signal cut short for a good end', async () => {
    const world = fakeWorld();

    const code = await runService(world.options, ({ signal }) => {
      world.signal('SIGINT');
      return Promise.reject(signal.reason as Error);
    });

    expect(code).toBe(0);
  });

  it('says 1 when the body fails, and closes the resources all the same', async () => {
    const world = fakeWorld();
    let isClosed = false;

    const code = await runService(world.options, ({ resources }) => {
      resources.defer(() => void (isClosed = true));
      return Promise.reject(new Error('no port'));
    });

    expect({ code, isClosed }).toEqual({ code: 1, isClosed: true });
    expect(world.lines.join('')).toContain('no port');
  });

  it('says 1 when a resource cannot be closed', async () => {
    const world = fakeWorld();

    const code = await runService(world.options, ({ resources }) => {
      resources.defer(() => Promise.reject(new Error('stuck')));
      return Promise.resolve();
    });

    expect(code).toBe(1);
  });

  it.each([
    { name: 'SIGTERM', exit: 143 },
    { name: 'SIGINT', exit: 130 },
  ] as const)('ends at once on a second $name', async ({ name, exit }) => {
    const world = fakeWorld();

    await runService(world.options, () => {
      world.signal(name);
      world.signal(name);
      return Promise.resolve();
    });

    expect(world.exits).toEqual([exit]);
  });

  it('ends the process when stopping takes longer than it may', async () => {
    const world = fakeWorld(1);

    await runService(world.options, async () => {
      world.signal('SIGTERM');
      await world.exited;
    });

    expect(world.exits).toEqual([1]);
  });
});

function fakeWorld(deadlineMs = 60_000) {
  const emitter = new EventEmitter();
  const exits: number[] = [];
  const lines: string[] = [];
  const exited = Promise.withResolvers<void>();
  const options: ServiceOptions = {
    process: {
      on: (event, listener) => emitter.on(event, listener),
      off: (event, listener) => emitter.off(event, listener),
      exit: (code) => {
        exits.push(code);
        exited.resolve();
      },
    },
    logger: createLogger({ name: 'app', destination: { write: (line) => lines.push(line) } }),
    deadlineMs,
  };
  return {
    options,
    exits,
    lines,
    exited: exited.promise,
    signal: (name: 'SIGTERM' | 'SIGINT') => emitter.emit(name, name),
    listeners: () => emitter.listenerCount('SIGTERM') + emitter.listenerCount('SIGINT'),
  };
}
