import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { TestClock } from './test-clock.ts';
import { WorkQueue } from './work-queue.ts';

describe('WorkQueue', () => {
  it('hands keys out once, in the order they came', async () => {
    const queue = new WorkQueue<string>();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);

    const taken = [await queue.take(), await queue.take(), await queue.take()];

    expect(taken).toEqual(['b', 'a', 'c']);
    expect(queue.depth).toBe(0);
  });

  it('gives a key to a worker that waits already', async () => {
    const queue = new WorkQueue<string>();
    const taking = queue.take();

    queue.add('a');

    expect(await taking).toBe('a');
  });

  it('keeps a key that is worked on until it is finished, and once only', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    await queue.take();

    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.finish('a');

    expect(queue.depth).toBe(1);
    expect(await queue.take()).toBe('a');
  });

  it('adds a key after a while, at the earlier of two times', async () => {
    const clock = new TestClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addAfter('a', 1_000);
    queue.addAfter('a', 500);
    queue.addAfter('a', 2_000);

    await clock.advance(499);
    const before = queue.depth;
    await clock.advance(1);

    expect([before, queue.depth, clock.timers]).toEqual([0, 1, 0]);
  });

  it('adds at once what is to come after no time', () => {
    const queue = new WorkQueue<string>();

    queue.addAfter('a', 0);

    expect(queue.depth).toBe(1);
  });

  it('waits longer after each failure until the key succeeds', () => {
    const queue = new WorkQueue<string>({ clock: new TestClock() });
    const delays = [queue.addRateLimited('a'), queue.addRateLimited('a'), queue.addRateLimited('a')];

    queue.forget('a');

    expect([...delays, queue.addRateLimited('a')]).toEqual([5, 10, 20, 5]);
  });

  it('sends workers home when it is closed, and takes nothing more', async () => {
    const clock = new TestClock();
    const queue = new WorkQueue<string>({ clock });
    queue.add('worked on');
    await queue.take();
    queue.addAfter('delayed', 10);
    const waiting = queue.take();

    queue.add('worked on');
    queue.close();
    queue.add('late');
    queue.addAfter('later', 1);
    queue.finish('worked on');

    expect([await waiting, await queue.take(), queue.depth, clock.timers]).toEqual([undefined, undefined, 0, 0]);
  });

  it('tells an observer how long keys waited and were worked on', async () => {
    const clock = new TestClock();
    const seen: unknown[] = [];
    const observer = {
      added: (...words: unknown[]) => seen.push(['added', ...words]),
      taken: (...words: unknown[]) => seen.push(['taken', ...words]),
      finished: (...words: unknown[]) => seen.push(['finished', ...words]),
    };
    const queue = new WorkQueue<string>({ clock, observer });

    queue.add('a');
    await clock.advance(30);
    await queue.take();
    await clock.advance(40);
    const working = queue.workingMs();
    queue.finish('a');

    expect(seen).toEqual([
      ['added', 'a', 1],
      ['taken', 'a', 30, 0],
      ['finished', 'a', 40],
    ]);
    expect(working).toEqual([40]);
  });

  it('loses nothing and never gives a key to two workers', async () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), key: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant('after' as const), key: fc.nat({ max: 5 }), ms: fc.nat({ max: 50 }) }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 40 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), async (actions, count) => {
        const clock = new TestClock();
        const queue = new WorkQueue<number>({ clock });
        const world = { working: new Set<number>(), wanted: new Map<number, number>(), clashes: 0 };
        const workers = Array.from({ length: count }, (_, index) => work(queue, clock, world, 7 * (index + 1)));

        for (const each of actions) {
          if (each.kind === 'pass') await clock.advance(each.ms);
          else world.wanted.set(each.key, clock.monotonic());
          if (each.kind === 'add') queue.add(each.key);
          if (each.kind === 'after') queue.addAfter(each.key, each.ms);
        }
        await clock.advance(10_000);
        queue.close();
        await Promise.all(workers);

        // A key is forgotten when a worker begins after the last wish for it.
        expect([world.clashes, [...world.wanted]]).toEqual([0, []]);
      }),
      { numRuns: 200 },
    );
  });

  it('is quick with very many keys', async () => {
    const queue = new WorkQueue<number>();
    for (let key = 0; key < 200_000; key++) queue.add(key);

    const startedAt = performance.now();
    for (let key = 0; key < 200_000; key++) queue.finish((await queue.take()) ?? -1);

    expect(queue.depth).toBe(0);
    // A search from the front for each key takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

interface World {
  readonly working: Set<number>;
  readonly wanted: Map<number, number>;
  clashes: number;
}

async function work(queue: WorkQueue<number>, clock: TestClock, world: World, workMs: number): Promise<void> {
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    if (world.working.has(key)) world.clashes++;
    world.working.add(key);
    world.wanted.delete(key);
    await clock.wait(workMs);
    world.working.delete(key);
    queue.finish(key);
  }
}
