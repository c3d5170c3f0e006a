import { expect, it } from 'vitest';

import { livePatch } from './live-patch.ts';

it.each([
  { what: 'sets', change: { before: undefined, value: 2 }, patch: [{ op: 'add', path: '/a', value: 2 }] },
  {
    what: 'changes',
    change: { before: 1, value: 2 },
    patch: [
      { op: 'test', path: '/a', value: 1 },
      { op: 'replace', path: '/a', value: 2 },
    ],
  },
  {
    what: 'removes',
    change: { before: 1, value: undefined },
    patch: [
      { op: 'test', path: '/a', value: 1 },
      { op: 'remove', path: '/a' },
    ],
  },
  { what: 'leaves', change: { before: undefined, value: undefined }, patch: [] },
])('$what a field only as long as it is what it was', ({ change, patch }) => {
  expect(livePatch([{ path: '/a', ...change }])).toEqual(patch);
});
