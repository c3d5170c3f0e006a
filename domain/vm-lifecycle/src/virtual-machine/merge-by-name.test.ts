import { describe, expect, it } from 'vitest';

import { mergeByName } from './merge-by-name.ts';

const item = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({ name, ...more });

describe('mergeByName', () => {
  it.each([
    {
      what: 'leaves the list alone when the template was not changed',
      lists: [['a'], ['a'], ['a', 'auto']],
      merged: ['a', 'auto'],
    },
    { what: 'adds what the template adds', lists: [['a'], ['a', 'b'], ['a', 'auto']], merged: ['a', 'auto', 'b'] },
    { what: 'drops what the template drops', lists: [['a', 'b'], ['a'], ['a', 'b', 'auto']], merged: ['a', 'auto'] },
    { what: 'adds nothing twice', lists: [[], ['b'], ['b']], merged: ['b'] },
  ])('$what', ({ lists, merged }) => {
    const [started, wanted, current] = lists.map((names) => names.map((name) => item(name)));

    expect(mergeByName({ started, wanted, current })).toEqual(merged.map((name) => item(name)));
  });

  it('changes only the fields that the template names', () => {
    const lists = { started: [item('a', { state: 'up' })], wanted: [item('a', { state: 'down' })] };

    expect(mergeByName({ ...lists, current: [item('a', { state: 'up', mac: '02' })] })).toEqual([
      item('a', { state: 'down', mac: '02' }),
    ]);
  });
});
