import { expect, it } from 'vitest';

import type { PowerReport } from './power.ts';
import { watchPower, type PowerWatchDeps } from './watch-power.ts';

it('asks all hosts evenly over the interval, again and again', async () => {
  const world = fakeWorld({ hosts: ['a', 'b', 'c', 'd'], rounds: 2 });

  await expect(watchPower(world.deps, world.signal)).rejects.toThrow('enough');

  expect(world.asked).toEqual(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']);
  expect(new Set(world.waits)).toEqual(new Set([15_000]));
  expect(world.told.map(([host]) => host)).toEqual(world.asked);
});

it('has no more readings under way than it may', async () => {
  const world = fakeWorld({ hosts: ['a', 'b', 'c', 'd'], rounds: 2, isSlow: true });

  await expect(watchPower(world.deps, world.signal)).rejects.toThrow('enough');

  expect(world.most()).toBe(2);
});

it('does nothing where no readings are wanted', async () => {
  const world = fakeWorld({ hosts: ['a'], rounds: 1, intervalMs: 0 });

  await expect(watchPower(world.deps, world.signal)).rejects.toThrow('enough');

  expect(world.asked).toEqual([]);
});

interface WorldOptions {
  readonly hosts: readonly string[];
  readonly rounds: number;
  readonly intervalMs?: number;
  readonly isSlow?: boolean;
}

function fakeWorld({ hosts, rounds, intervalMs = 60_000, isSlow = false }: WorldOptions) {
  const stopping = new AbortController();
  const asked: string[] = [];
  const told: (readonly [string, readonly PowerReport[]])[] = [];
  const waits: number[] = [];
  let underWay = 0;
  let most = 0;
  const deps: PowerWatchDeps = {
    hosts: () => hosts,
    settings: () => ({ intervalMs, concurrency: 2 }),
    ignore: () => undefined,
    onReports: (host, reports) => void told.push([host, reports]),
    power: {
      async checkReachable(host) {
        asked.push(host);
        most = Math.max(most, ++underWay);
        if (isSlow) await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return [];
      },
    },
    clock: {
      now: () => 0,
      async wait(milliseconds, signal) {
        waits.push(milliseconds);
        if (waits.length >= rounds * hosts.length) stopping.abort(new Error('enough'));
        signal.throwIfAborted();
      },
    },
  };
  return { deps, signal: stopping.signal, asked, told, waits, most: () => most };
}
