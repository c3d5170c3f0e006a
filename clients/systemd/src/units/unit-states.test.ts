import { expect, it } from 'vitest';

import { readUnitStates } from './unit-states.ts';

it('takes the states by their place, because an alias is told under its first name', () => {
  const row = ['real.service', 'Web', 'loaded', 'active', 'running', '', '/a', 0, '', '/'];

  expect(readUnitStates(['alias.service'], [row])).toEqual([
    { name: 'alias.service', loadState: 'loaded', activeState: 'active', subState: 'running' },
  ]);
});

it.each([
  { title: 'another number of units', list: [] },
  { title: 'no list', list: 'x' },
  { title: 'a row that is none', list: ['x'] },
  { title: 'nothing', list: undefined },
])('refuses $title', ({ list }) => {
  expect(() => readUnitStates(['a.service'], list)).toThrow(expect.objectContaining({ code: 'bad-answer' }));
});
