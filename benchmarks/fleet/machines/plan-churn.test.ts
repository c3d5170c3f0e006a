import { expect, it } from 'vitest';

import { planRestarts } from './plan-churn.ts';

it('restarts the share of machines that it is told, each once and at a steady pace', () => {
  const restarts = planRestarts({ machines: 1_000, seconds: 60, restartsPerMinute: 0.01 });

  expect(restarts.length).toBe(10);
  expect(new Set(restarts.map(({ machine }) => machine)).size).toBe(10);
  expect(restarts.map(({ atMs }) => atMs)).toEqual([
    3_000, 9_000, 15_000, 21_000, 27_000, 33_000, 39_000, 45_000, 51_000, 57_000,
  ]);
});

it('restarts one where the share would be none', () => {
  expect(planRestarts({ machines: 10, seconds: 6, restartsPerMinute: 0.01 })).toEqual([{ machine: 0, atMs: 3_000 }]);
});
