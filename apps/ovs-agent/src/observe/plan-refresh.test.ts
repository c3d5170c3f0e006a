import { expect, it } from 'vitest';

import { planRefresh, restAfter, type RefreshOutcome } from './plan-refresh.ts';

it.each<[outcome: RefreshOutcome, tookMs: number, restMs: number, expected: number]>([
  ['answered', 50, 0, 1_000],
  ['answered', 3, 60_000, 60],
  ['answered', 20_000, 0, 120_000],
  ['gaps', 3_000, 0, 0],
  ['gaps', 3_000, 400, 400],
  ['nobody', 3_000, 400, 400],
])(
  'after %s in %i ms and a rest of %i ms the rest is %i ms: time-outs are no work',
  (outcome, workMs, rest, expected) => {
    expect(restAfter({ outcome, workMs }, rest)).toBe(expected);
  },
);

it.each([
  { outcome: 'answered', restMs: 0, ageMs: 0, plan: { scope: 'all', inMs: 10_000 } },
  { outcome: 'answered', restMs: 30_000, ageMs: 0, plan: { scope: 'all', inMs: 30_000 } },
  { outcome: 'gaps', restMs: 0, ageMs: 0, plan: { scope: 'unanswered', inMs: 1_000 } },
  { outcome: 'gaps', restMs: 0, ageMs: 9_500, plan: { scope: 'all', inMs: 500 } },
  { outcome: 'gaps', restMs: 0, ageMs: 99_000, plan: { scope: 'all', inMs: 0 } },
  { outcome: 'nobody', restMs: 0, ageMs: 0, plan: { scope: 'all', inMs: 10_000 } },
] as const)('plans $plan after $outcome, $ageMs ms old', ({ plan, ...facts }) => {
  expect(planRefresh({ refreshMs: 10_000, ...facts })).toEqual(plan);
});
