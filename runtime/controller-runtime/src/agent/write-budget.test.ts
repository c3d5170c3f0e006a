import { assert, integer, property } from 'fast-check';
import { expect, it } from 'vitest';

import { WriteBudget } from './write-budget.ts';

it('lets a burst through at once, then one write every so often', () => {
  const budget = new WriteBudget({ burst: 3, refillMs: 1_000 });

  const times = writeAt(budget, 5_000, 10);

  expect(times.slice(0, 3)).toEqual([0, 10, 20]);
  expect(times.length).toBe(3 + 4);
});

it('is as it was at first after a while without a write', () => {
  const budget = new WriteBudget({ burst: 2, refillMs: 1_000 });
  writeAt(budget, 100, 10);

  expect(budget.waitMs(200)).toBeGreaterThan(0);
  expect([budget.waitMs(2_500), spend(budget, 2_500), budget.waitMs(2_500), spend(budget, 2_500)]).toEqual([
    0, 0, 0, 0,
  ]);
  expect(budget.waitMs(2_500)).toBe(1_000);
});

it('never lets more through than the burst and what was allowed since', () => {
  assert(
    property(
      integer({ min: 1, max: 20 }),
      integer({ min: 10, max: 5_000 }),
      integer({ min: 1, max: 500 }),
      (burst, refillMs, everyMs) => {
        const budget = new WriteBudget({ burst, refillMs });

        expect(writeAt(budget, 10_000, everyMs).length).toBeLessThanOrEqual(burst + Math.ceil(10_000 / refillMs));
      },
    ),
  );
});

/** Wants a write every so often, and returns when one was allowed. */
function writeAt(budget: WriteBudget, untilMs: number, everyMs: number): readonly number[] {
  const times: number[] = [];
  for (let now = 0; now < untilMs; now += everyMs) {
    if (budget.waitMs(now) > 0) continue;
    budget.take(now);
    times.push(now);
  }
  return times;
}

function spend(budget: WriteBudget, now: number): number {
  budget.take(now);
  return 0;
}
