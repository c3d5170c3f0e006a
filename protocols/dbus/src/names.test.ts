import { describe, expect, it } from 'vitest';

import { isBusName, isInterfaceName, isMemberName, isObjectPath } from './names.ts';

describe('names', () => {
  it.each([
    { is: isObjectPath, good: ['/', '/a', '/a_1/B'], bad: ['', 'a', '/a/', '//', '/a-b', '/ä'] },
    { is: isInterfaceName, good: ['a.b', '_a.B1'], bad: ['', 'a', 'a.', '.a', 'a.1', 'a.b-c', `a.${'b'.repeat(254)}`] },
    { is: isMemberName, good: ['Get', '_x1'], bad: ['', 'a.b', '1a', 'a b'] },
    { is: isBusName, good: ['a.b', 'a-b.c', ':1.42'], bad: ['', 'a', ':1', 'a.1', '1.a', 'a..b'] },
  ])('$is.name knows good from bad', ({ is, good, bad }) => {
    expect(good.filter((name) => !is(name))).toEqual([]);
    expect(bad.filter((name) => is(name))).toEqual([]);
  });
});
