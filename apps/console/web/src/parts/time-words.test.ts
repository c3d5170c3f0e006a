import { expect, it } from 'vitest';

import { momentWords, timeWords } from './time-words.ts';

it.each([
  [0, 4, 9],
  [12, 0, 0],
  [17, 59, 1],
])('has 24 hours a day: %i %i %i', (...given) => {
  const at = new Date(2026, 0, 31, ...given);
  const words = given.map((part) => String(part).padStart(2, '0')).join(':');

  expect(timeWords(at.toISOString())).toBe(words);
  expect(momentWords(at.getTime())).toContain(words);
  expect(momentWords(at.getTime())).toContain('2026');
});
