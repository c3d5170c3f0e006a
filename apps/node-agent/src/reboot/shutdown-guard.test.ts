import { untilAborted } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import type { EvacuationOutcome } from './decide-evacuation.ts';
import { guardShutdowns } from './shutdown-guard.ts';

it('ends the evacuation and takes its lock again when the shutdown is called off meanwhile', async () => {
  await using world = startWorld(async (signal) => {
    await untilAborted(signal);
    throw signal.reason;
  });
  await world.until('armed');

  world.shutdown(true);
  await world.until('evacuating');
  world.shutdown(false);
  await world.until('armed', 2);

  expect(world.story).toEqual(['lock', 'armed', 'withdraw', 'evacuating', 'unlock', 'lock', 'armed', 'withdraw']);
});

it('lets the shutdown go on when the evacuation breaks down', async () => {
  await using world = startWorld(() => Promise.reject(new Error('a mistake')));
  await world.until('armed');

  world.shutdown(true);
  await world.until('unlock');

  expect(world.story).toEqual(['lock', 'armed', 'withdraw', 'evacuating', 'released failed', 'unlock']);
});

it('evacuates once, however often it is told that the shutdown begins', async () => {
  await using world = startWorld(() => Promise.resolve({ kind: 'succeeded' }));
  await world.until('armed');

  world.shutdown(true);
  world.shutdown(true);
  await world.until('unlock');

  expect(world.story.filter((word) => word === 'evacuating')).toHaveLength(1);
});

it('fails when it loses its lock, and lets go of everything', async () => {
  await using world = startWorld(() => Promise.resolve({ kind: 'empty' }));
  await world.until('armed');

  world.loseLock();

  await expect(world.running).rejects.toThrow('logind has dropped the lock');
});

it('fails when nobody tells of shutdowns any more, and lets go of everything', async () => {
  await using world = startWorld(() => Promise.resolve({ kind: 'empty' }));
  await world.until('armed');

  world.endWatch();

  await expect(world.running).rejects.toThrow('logind tells no more of shutdowns');
  expect(world.story.at(-1)).toBe('unlock');
});

it('gives an evacuation no more time than logind allows', async () => {
  let allowed: number | undefined;
  await using world = startWorld((_, allowedMs) => {
    allowed = allowedMs;
    return Promise.resolve({ kind: 'empty' });
  });
  await world.until('armed');

  world.shutdown(true);
  await world.until('unlock');

  expect(allowed).toBe(LIMIT_MS);
});

it('unlocks when it is told to stop in the middle of an evacuation', async () => {
  const world = startWorld(async (signal) => {
    await untilAborted(signal);
    throw signal.reason;
  });
  await world.until('armed');
  world.shutdown(true);
  await world.until('evacuating');

  await world[Symbol.asyncDispose]();

  expect(world.story.at(-1)).toBe('unlock');
});

const LIMIT_MS = 90_000;

function startWorld(evacuate: (signal: AbortSignal, allowedMs: number | undefined) => Promise<EvacuationOutcome>) {
  const story: string[] = [];
  const stop = new AbortController();
  const queue: boolean[] = [];
  let wake: (() => void) | undefined;
  let onWord: (() => void) | undefined;
  let lose: (() => void) | undefined;
  const over = new AbortController();
  const say = (word: string): void => {
    story.push(word);
    onWord?.();
  };
  async function* watchShutdown(signal: AbortSignal): AsyncGenerator<boolean> {
    signal.addEventListener('abort', () => wake?.());
    while (!signal.aborted && !over.signal.aborted) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const delayShutdown = async () => {
    say('lock');
    const { promise: released, resolve } = Promise.withResolvers<void>();
    lose = resolve;
    return {
      released,
      [Symbol.asyncDispose]: async () => {
        say('unlock');
        resolve();
      },
    };
  };
  const running = guardShutdowns(
    {
      nodeName: 'node-1',
      systemd: { watchShutdown, delayShutdown },
      readLimitMs: async () => LIMIT_MS,
      evacuate: (allowedMs, signal) => evacuate(signal, allowedMs),
      withdraw: () => say('withdraw'),
      tell: (state) => say(state.kind === 'released' ? `released ${state.outcome.kind}` : state.kind),
    },
    stop.signal,
  );
  running.catch(() => undefined);
  return {
    story,
    running,
    loseLock: () => lose?.(),
    endWatch: () => {
      over.abort();
      wake?.();
    },
    shutdown: (isBeginning: boolean) => {
      queue.push(isBeginning);
      wake?.();
    },
    until: async (word: string, times = 1): Promise<void> => {
      while (story.filter((each) => each === word).length < times) {
        await new Promise<void>((resolve) => (onWord = resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running.catch(() => undefined);
    },
  };
}
