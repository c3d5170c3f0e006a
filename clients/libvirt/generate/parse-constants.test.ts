import { expect, it } from 'vitest';

import { parseConstants } from './parse-constants.ts';

it('reads values and flags', () => {
  const groups = parse('values State', '  none -1', '  running 1', 'flags Options', '  forced 0x10');

  expect(groups).toEqual([
    {
      kind: 'values',
      name: 'State',
      members: new Map([
        ['none', -1],
        ['running', 1],
      ]),
    },
    { kind: 'flags', name: 'Options', members: new Map([['forced', 16]]) },
  ]);
});

it.each([
  { lines: ['enum State'], error: "test.schema:1: 'enum' is not values or flags" },
  { lines: ['values'], error: 'test.schema:1: the name of the group is missing' },
  { lines: ['values A', 'flags A'], error: 'test.schema:2: A is there twice' },
  { lines: ['values A', '  one'], error: 'test.schema:2: the number of A.one is missing' },
  { lines: ['values A', '  one 1', '  one 2'], error: 'test.schema:3: A.one is there twice' },
])('says $error', ({ lines, error }) => {
  expect(() => parse(...lines)).toThrow(error);
});

function parse(...lines: string[]): ReturnType<typeof parseConstants> {
  return parseConstants({ file: 'test.schema', text: lines.join('\n') });
}
