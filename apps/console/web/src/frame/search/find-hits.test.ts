import { expect, it } from 'vitest';

import { findHits, type SearchEntry } from './find-hits.ts';
import { fuzzyScore } from './fuzzy-score.ts';

it('finds letters in their order, and nothing else', () => {
  expect(fuzzyScore('wb1', 'web-1')).toBeDefined();
  expect(fuzzyScore('1bw', 'web-1')).toBeUndefined();
});

it.each([
  { typed: 'web', better: 'web-1', worse: 'my-cobweb' },
  { typed: 'web', better: 'my-web', worse: 'cobweb' },
  { typed: 'web', better: 'web', worse: 'web-1' },
  { typed: 'db1', better: 'db-1', worse: 'dashboard-1' },
])('takes $better before $worse for "$typed"', ({ typed, better, worse }) => {
  expect(fuzzyScore(typed, better)).toBeGreaterThan(fuzzyScore(typed, worse) ?? Infinity);
});

it('offers the first entries before anything is typed', () => {
  const entries = [entry('a'), entry('b'), entry('c')];

  expect(findHits(entries, '', 2)).toEqual([entry('a'), entry('b')]);
});

it('finds by what something is, and by where', () => {
  const entries = [entry('web', 'Virtual machine', 'shop'), entry('host-1', 'Host')];

  expect(findHits(entries, 'shop web', 5).map(({ name }) => name)).toEqual(['web']);
  expect(findHits(entries, 'host', 5).map(({ name }) => name)).toEqual(['host-1']);
});

function entry(name: string, sort = 'Thing', detail = ''): SearchEntry {
  return { sort, name, detail, href: `/${name}` };
}
