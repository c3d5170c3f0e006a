import { expect, it } from 'vitest';

import { countWords } from './count-words.ts';

it.each([
  [0, 0, '0 hosts'],
  [1, 1, '1 host'],
  [7, 7, '7 hosts'],
  [2, 7, '2 of 7 hosts'],
  [0, 1, '0 of 1 host'],
])('%i of %i is "%s"', (shown, all, words) => {
  expect(countWords(shown, all, 'host')).toBe(words);
});
