import { expect, it } from 'vitest';

import { messageOf } from './message-of.ts';

it.each<[string, unknown, string]>([
  ['an error', new Error('no disk'), 'no disk'],
  ['a word', 'no disk', 'no disk'],
  ['nothing', undefined, 'undefined'],
  [
    'several errors',
    new AggregateError([new Error('IPv6 refused'), new Error('IPv4 refused')]),
    'IPv6 refused; IPv4 refused',
  ],
  ['several errors that have a word for it', new AggregateError([new Error('a')], 'all failed'), 'all failed'],
])('tells %s in words', (_what, thrown, words) => {
  expect(messageOf(thrown)).toBe(words);
});
