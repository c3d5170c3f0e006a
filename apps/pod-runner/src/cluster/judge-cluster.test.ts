import { expect, it } from 'vitest';

import { judgeCluster } from './judge-cluster.ts';

it.each([
  { remembered: undefined, hasRunningPods: false, verdict: 'remember' },
  { remembered: undefined, hasRunningPods: true, verdict: 'remember' },
  { remembered: 'a', hasRunningPods: false, verdict: 'same' },
  { remembered: 'a', hasRunningPods: true, verdict: 'same' },
  { remembered: 'b', hasRunningPods: false, verdict: 'remember' },
  { remembered: 'b', hasRunningPods: true, verdict: 'another' },
])('$verdict where $remembered is remembered and running pods are here: $hasRunningPods', ({ verdict, ...facts }) => {
  expect(judgeCluster({ ...facts, current: 'a' })).toBe(verdict);
});
