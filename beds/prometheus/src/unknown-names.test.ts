import { expect, it } from 'vitest';

import { evaluatePromql } from './evaluate-promql.ts';
import { asScraped } from './parse-exposition.ts';
import { parsePromql } from './parse-promql.ts';
import { unknownNames, unknownValues } from './unknown-names.ts';

const SERIES = asScraped('# TYPE a gauge\na{host="x",state="on"} 2\na{host="y",state="off"} 0\n', 'test');

it.each([
  { expr: 'sum by (host) (a{state="on"}) > 0', names: [], values: [] },
  { expr: 'up{job="test"} == 0', names: [], values: [] },
  { expr: 'b > 0', names: ['b'], values: [] },
  { expr: 'a{place="here"} > 0', names: ['a{place}'], values: ['a{place="here"}'] },
  { expr: 'sum by (place) (a)', names: ['a{place}'], values: [] },
  { expr: 'a{state=~"on|broken"}', names: [], values: ['a{state="broken"}'] },
  { expr: 'a{job=~".*es.*"}', names: [], values: [] },
  { expr: 'a{state!="broken"}', names: [], values: [] },
])('finds what $expr uses and nobody tells', ({ expr, names, values }) => {
  expect(unknownNames(expr, SERIES)).toEqual(names);
  expect(unknownValues(expr, SERIES)).toEqual(values);
});

it.each([
  { expr: 'a > 1', fires: ['x'] },
  { expr: 'a{state="off"} == 0', fires: ['y'] },
  { expr: 'a unless on (host) a{state="on"}', fires: ['y'] },
  { expr: 'a{state="on"} or a{state="off"}', fires: ['x', 'y'] },
  { expr: 'max by (host) (a) >= 2', fires: ['x'] },
])('says for whom $expr fires', ({ expr, fires }) => {
  expect(evaluatePromql(parsePromql(expr), SERIES).map(({ labels }) => labels['host'])).toEqual(fires);
});

it.each(['a +', 'a{', 'a{state~"on"}', 'sum()'])('refuses %s rather than guess', (expr) => {
  expect(() => parsePromql(expr)).toThrow(SyntaxError);
});
