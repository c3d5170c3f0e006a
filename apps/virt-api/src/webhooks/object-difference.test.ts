import * as fc from 'fast-check';

import { applyJsonPatch } from '@smalt/object-patch';
import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { objectDifference } from './object-difference.ts';

it('makes one object of another', () => {
  const object = fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
  );

  fc.assert(
    fc.property(object, object, (from, to) => {
      const [before, after] = [plain(from), plain(to)];

      const made = applyJsonPatch(before, plainList(objectDifference(before, after)));

      expect(made).toEqual(after);
    }),
  );
});

it('is nothing where nothing differs', () => {
  expect(objectDifference({ spec: { a: 1 } }, { spec: { a: 1 } })).toEqual([]);
});

function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function plainList(value: unknown): JsonObject[] {
  return JSON.parse(JSON.stringify(value));
}
