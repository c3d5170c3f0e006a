import { expect, it } from 'vitest';
import { planMeasures } from './measures.ts';

it.each([true, false])('gives every caller the same number of calls when quick is %s', (quick) => {
  const uneven = planMeasures(quick).filter(({ operations, callers }) => operations % callers !== 0);

  expect(uneven).toEqual([]);
});

it('never needs fewer domains than the measure before', () => {
  const domains = planMeasures(false).map((measure) => measure.domains);

  expect(domains).toEqual(domains.toSorted((a, b) => a - b));
});

it('measures the same things when quick, only less often', () => {
  const [quick, full] = [planMeasures(true), planMeasures(false)];

  expect(quick.map(({ key }) => key)).toEqual(full.map(({ key }) => key));
  expect(quick.every(({ operations }, index) => operations < (full[index]?.operations ?? 0))).toBe(true);
});
