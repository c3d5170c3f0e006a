import { expect, it, onTestFinished, vi } from 'vitest';

import { WorkLoop } from './work-loop.ts';

it('works on a key once however often it was added before', async () => {
  const worked: string[] = [];
  const gate = Promise.withResolvers<void>();
  await using loop = new WorkLoop({
    concurrency: 1,
    onFailure: fail,
    reconcile: async (key) => {
      await gate.promise;
      worked.push(key);
      return undefined;
    },
  });

  for (const key of ['a', 'b', 'b', 'c', 'b']) loop.add(key);
  gate.resolve();
  await loop.idle();

  expect(worked).toEqual(['a', 'b', 'c']);
});

it('works on a key again that was added while it was worked on, and never twice at a time', async () => {
  let running = 0;
  let most = 0;
  let count = 0;
  await using loop: WorkLoop = new WorkLoop({
    onFailure: fail,
    reconcile: async (key) => {
      most = Math.max(most, ++running);
      if (++count === 1) loop.add(key);
      await Promise.resolve();
      running--;
      return undefined;
    },
  });

  loop.add('a');
  await loop.idle();

  expect({ count, most }).toEqual({ count: 2, most: 1 });
});

it('tries a key again that failed, and tells of it', async () => {
  const failures: unknown[] = [];
  const done = Promise.withResolvers<void>();
  let count = 0;
  await using loop = new WorkLoop({
    onFailure: (key, error) => failures.push([key, String(error)]),
    reconcile: () => {
      if (++count === 1) return Promise.reject(new Error('not yet'));
      done.resolve();
      return Promise.resolve(undefined);
    },
  });

  loop.add('a');
  await done.promise;

  expect(failures).toEqual([['a', 'Error: not yet']]);
});

it('lets everybody else have a turn before it works on the same keys once more', async () => {
  const worked: string[] = [];
  let hadTurn = false;
  await using loop: WorkLoop = new WorkLoop({
    onFailure: fail,
    reconcile: (key) => {
      worked.push(key);
      // Two keys that call for each other, without a wait that lets anything else run; the bound is for the test.
      if (!hadTurn && worked.length < 1_000) loop.add(key === 'a' ? 'b' : 'a');
      return Promise.resolve(undefined);
    },
  });

  setImmediate(() => (hadTurn = true));
  loop.add('a');
  await loop.idle();

  expect({ worked, hadTurn }).toEqual({ worked: ['a', 'b', 'a'], hadTurn: true });
});

it('comes back to a key later and later that asks for it, and tells nobody', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const workedAt: number[] = [];
  await using loop = new WorkLoop({
    onFailure: fail,
    reconcile: () => {
      workedAt.push(Date.now());
      return Promise.resolve(workedAt.length < 4 ? 'back-off' : undefined);
    },
  });

  loop.add('a');
  await vi.advanceTimersByTimeAsync(60_000);

  expect(workedAt).toEqual([0, 20, 60, 140]);
});

it('does not keep those who wait for it when it is disposed of between two turns', async () => {
  const loop: WorkLoop = new WorkLoop({
    onFailure: fail,
    reconcile: (key) => {
      loop.add(key);
      return Promise.resolve(undefined);
    },
  });
  loop.add('a');
  const idle = loop.idle();

  await loop[Symbol.asyncDispose]();

  await expect(idle).resolves.toBeUndefined();
});

it('aborts what runs when it is disposed of, and starts nothing any more', async () => {
  const worked: string[] = [];
  const loop = new WorkLoop({
    onFailure: fail,
    reconcile: async (key, signal) => {
      worked.push(key);
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      return undefined;
    },
  });
  loop.add('a');

  await loop[Symbol.asyncDispose]();
  loop.add('b');

  expect(worked).toEqual(['a']);
});

function fail(key: string, error: unknown): void {
  throw new Error(`${key} failed`, { cause: error });
}
