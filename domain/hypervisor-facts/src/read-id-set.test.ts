import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readIdSet } from './read-id-set.ts';

describe('readIdSet', () => {
  it.each([
    { text: '3', ids: [3] },
    { text: '0-3', ids: [0, 1, 2, 3] },
    { text: '32-34,160-161', ids: [32, 33, 34, 160, 161] },
    { text: '0-3,^1', ids: [0, 2, 3] },
    { text: '^1,0-3', ids: [0, 1, 2, 3] },
    { text: '3,1,1-2', ids: [1, 2, 3] },
    { text: ' 1 - 3 , 7', ids: [1, 2, 3, 7] },
    { text: '1,', ids: [1] },
  ])('reads $text', ({ text, ids }) => {
    expect(readIdSet(text)).toEqual(ids);
  });

  it.each(['', ' ', '0-', '-1', '1-0', '1,,2', '^0-1,2', '1,^1', 'all', '0-4000000000', '1;2'])(
    'takes "%s" for no set',
    (text) => {
      expect(readIdSet(text)).toBeUndefined();
    },
  );

  it('reads back whatever set is written', () => {
    const sets = fc.uniqueArray(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 50 });

    fc.assert(
      fc.property(sets, (ids) => {
        expect(readIdSet(ids.join(','))).toEqual(ids.toSorted((left, right) => left - right));
      }),
    );
  });
});
