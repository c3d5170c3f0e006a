import { expect, it } from 'vitest';

import { matchesText } from './matches-text.ts';
import { nextRow } from './next-row.ts';
import { sortRows } from './sort-rows.ts';

it('counts numbers within names', () => {
  expect(sortRows(['web-10', 'Web-9', 'db-1'], (name) => name, false)).toEqual(['db-1', 'Web-9', 'web-10']);
});

it('keeps rows of equal value in their order, also backwards', () => {
  const rows = [
    { name: 'a', load: 1 },
    { name: 'b', load: 2 },
    { name: 'c', load: 1 },
  ];

  expect(sortRows(rows, ({ load }) => load, true).map(({ name }) => name)).toEqual(['b', 'a', 'c']);
});

it('leaves the rows it was given as they are', () => {
  const rows = Object.freeze([3, 1, 2]);

  expect(sortRows(rows, (row) => row, false)).toEqual([1, 2, 3]);
});

it.each([
  { typed: '', text: 'anything', matches: true },
  { typed: 'WEB host', text: 'default/web-1 host-2', matches: true },
  { typed: 'web db', text: 'default/web-1', matches: false },
])('finds "$typed" in "$text": $matches', ({ typed, text, matches }) => {
  expect(matchesText(typed, text)).toBe(matches);
});

it.each([
  { key: 'ArrowDown', active: 0, next: 1 },
  { key: 'ArrowDown', active: 99, next: 99 },
  { key: 'ArrowUp', active: 0, next: 0 },
  { key: 'PageDown', active: 5, next: 15 },
  { key: 'PageUp', active: 5, next: 0 },
  { key: 'Home', active: 50, next: 0 },
  { key: 'End', active: 50, next: 99 },
  { key: 'x', active: 50, next: undefined },
])('leads from row $active by $key to $next of a hundred', ({ key, active, next }) => {
  expect(nextRow(key, active, 100)).toBe(next);
});

it('leads nowhere in an empty table', () => {
  expect(nextRow('ArrowDown', 0, 0)).toBeUndefined();
});
