import { expect, it } from 'vitest';

import { metricSum } from './read-metric-sum.ts';

it('adds up all series of a metric, and none whose name only begins alike', () => {
  const text = ['# TYPE calls counter', 'calls{code="200"} 3', 'calls{code="409"} 2', 'calls_total 7'].join('\n');

  expect(metricSum(text, 'calls')).toBe(5);
});

it('is undefined where there is no such metric', () => {
  expect(metricSum('up 1', 'calls')).toBeUndefined();
});
