import type { JsonValue } from '@smalt/json';
import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';

import { isSameJson } from './is-same-json.ts';

it('finds a value and its copy the same, whatever the order of names', () => {
  assert(
    property(jsonValue({ noUnicodeString: false }), (value) => {
      expect(isSameJson(value as JsonValue, turned(value as JsonValue))).toBe(true);
    }),
  );
});

it.each<[JsonValue, JsonValue]>([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ constructor: 'x' }, {}],
  [{}, { toString: 'x' }],
  [{ toString: 'x' }, { a: 'x' }],
  [
    [1, 2],
    [2, 1],
  ],
  [[], {}],
  [null, {}],
  [1, '1'],
  [9007199254740993n, 9007199254740992n],
])('tells %o from %o', (left, right) => {
  expect(isSameJson(left, right)).toBe(false);
  expect(isSameJson(right, left)).toBe(false);
});

function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => turned(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, turned(item)]),
  );
}
