import { expect, it } from 'vitest';

import { distinctValues, readFilters, withChosen, withFilter } from './filters.ts';

it('reads the words that a list is narrowed by, and nothing else', () => {
  const search = { text: 'web', host: 42, status: '', other: 'x', kind: { not: 'a text' } };

  expect(readFilters(search, ['text', 'host', 'status', 'kind'])).toEqual({ text: 'web', host: '42' });
});

it('changes one word and leaves the others', () => {
  const search = { text: 'web', host: 'hv1' };

  expect([
    withFilter(search, 'host', 'hv2'),
    withFilter(search, 'host', undefined),
    withFilter(search, 'text', ''),
  ]).toEqual([{ text: 'web', host: 'hv2' }, { text: 'web' }, { host: 'hv1' }]);
});

it('keeps what is chosen among what can be chosen', () => {
  expect([withChosen(['a', 'b'], 'b'), withChosen(['a'], 'gone'), withChosen(['a'], undefined)]).toEqual([
    ['a', 'b'],
    ['a', 'gone'],
    ['a'],
  ]);
});

it('has each value once, in order', () => {
  expect(distinctValues(['b', '', 'a', 'b'])).toEqual(['a', 'b']);
});
