import type { JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Cell, columnCodec, isSameCell } from './column-codec.ts';
import type { ColumnKind } from './column-kind.ts';
import { columnShape } from './column-shape.ts';
import type { ColumnType } from './ovsdb-schema.ts';

const UUID = '3f1b2c4d-0000-4000-8000-000000000001';

describe('decode', () => {
  it.each<{ readonly kind: ColumnKind; readonly json: JsonValue; readonly value: Cell }>([
    { kind: 'string', json: 'a', value: 'a' },
    { kind: 'integer', json: 5, value: 5n },
    { kind: 'integer', json: 9_223_372_036_854_775_807n, value: 9_223_372_036_854_775_807n },
    { kind: 'real', json: 1.5, value: 1.5 },
    { kind: 'boolean', json: true, value: true },
    { kind: 'reference', json: ['uuid', UUID], value: UUID },
    { kind: 'optional-string', json: ['set', []], value: undefined },
    { kind: 'optional-string', json: 'a', value: 'a' },
    { kind: 'optional-string', json: ['set', ['a']], value: 'a' },
    { kind: 'strings', json: 'OpenFlow13', value: new Set(['OpenFlow13']) },
    { kind: 'strings', json: ['set', ['a', 'b']], value: new Set(['a', 'b']) },
    { kind: 'references', json: ['uuid', UUID], value: new Set([UUID]) },
    { kind: 'references', json: ['set', []], value: new Set() },
    { kind: 'map', json: ['map', [['__proto__', 'x']]], value: new Map([['__proto__', 'x']]) },
    { kind: 'map-string-integer', json: ['map', [['rx', 2n ** 60n]]], value: new Map([['rx', 2n ** 60n]]) },
    { kind: 'map-integer-reference', json: ['map', [[0, ['uuid', UUID]]]], value: new Map([[0n, UUID]]) },
  ])('reads $kind', ({ kind, json, value }) => {
    expect(codec(kind).decode(json)).toEqual(value);
  });

  it.each<{ readonly kind: ColumnKind; readonly json: JsonValue }>([
    { kind: 'string', json: 5 },
    { kind: 'string', json: null },
    { kind: 'string', json: ['set', []] },
    { kind: 'integer', json: 1.5 },
    { kind: 'integer', json: '5' },
    { kind: 'integer', json: 2 ** 60 },
    { kind: 'boolean', json: 1 },
    { kind: 'reference', json: UUID },
    { kind: 'reference', json: ['uuid'] },
    { kind: 'optional-string', json: ['set', ['a', 'b']] },
    { kind: 'strings', json: ['set', 'a'] },
    { kind: 'strings', json: ['map', []] },
    { kind: 'strings', json: { a: 1 } },
    { kind: 'map', json: ['map', [['a']]] },
    { kind: 'map', json: ['map', [['a', 5]]] },
    { kind: 'map', json: ['map', ['ab']] },
    { kind: 'map', json: 'a' },
  ])('refuses $json for $kind', ({ kind, json }) => {
    expect(() => codec(kind).decode(json)).toThrow(expect.objectContaining({ code: 'protocol' }));
  });
});

describe('modify', () => {
  it('toggles the elements of a set, as the difference of any two sets says', () => {
    const set = fc.uniqueArray(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(set, set, (before, after) => {
        const difference = [
          ...before.filter((item) => !after.includes(item)),
          ...after.filter((item) => !before.includes(item)),
        ];
        const old = codec('integers').decode(['set', before]);

        const next = codec('integers').modify(old, ['set', difference]);

        expect(next).toEqual(codec('integers').decode(['set', after]));
        expect(old).toEqual(codec('integers').decode(['set', before]));
      }),
    );
  });

  it('inserts, deletes and replaces the keys of a map, as the difference of any two maps says', () => {
    const map = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'));
    fc.assert(
      fc.property(map, map, (before, after) => {
        const old = codec('map').decode(jsonMap(Object.entries(before)));

        const next = codec('map').modify(old, jsonMap(mapDifference(before, after)));

        expect(next).toEqual(new Map(Object.entries(after)));
        expect(old).toEqual(new Map(Object.entries(before)));
      }),
    );
  });

  it.each<{ readonly kind: ColumnKind; readonly old: Cell; readonly json: JsonValue; readonly value: Cell }>([
    { kind: 'string', old: 'a', json: 'b', value: 'b' },
    { kind: 'optional-string', old: 'a', json: ['set', []], value: undefined },
    { kind: 'optional-string', old: undefined, json: 'a', value: 'a' },
    { kind: 'optional-integer', old: 1n, json: 2, value: 2n },
    { kind: 'optional-string', old: 'a', json: 'a', value: 'a' },
  ])('puts $json in the place of a single $kind', ({ kind, old, json, value }) => {
    expect(codec(kind).modify(old, json)).toEqual(value);
  });

  it('replaces a set that the server keeps as an optional value', () => {
    const optional: ColumnType = { key: 'string', value: undefined, min: 0, max: 1 };

    const next = columnCodec(columnShape('strings'), optional).modify(new Set(['a']), 'b');

    expect(next).toEqual(new Set(['b']));
  });
});

describe('default', () => {
  it.each<{ readonly kind: ColumnKind; readonly min: 0 | 1; readonly value: Cell }>([
    { kind: 'string', min: 1, value: '' },
    { kind: 'integer', min: 1, value: 0n },
    { kind: 'real', min: 1, value: 0 },
    { kind: 'boolean', min: 1, value: false },
    { kind: 'reference', min: 1, value: '00000000-0000-0000-0000-000000000000' },
    { kind: 'optional-integer', min: 0, value: undefined },
    { kind: 'optional-integer', min: 1, value: 0n },
    { kind: 'strings', min: 0, value: new Set() },
    { kind: 'strings', min: 1, value: new Set(['']) },
    { kind: 'map', min: 0, value: new Map() },
    { kind: 'map', min: 1, value: new Map([['', '']]) },
  ])('of $kind with at least $min is $value', ({ kind, min, value }) => {
    const shape = columnShape(kind);

    const { default: cell } = columnCodec(shape, { key: shape.key, value: undefined, min, max: Infinity });

    expect(cell).toEqual(value);
  });
});

describe('isSameCell', () => {
  it.each<{ readonly a: Cell; readonly b: Cell; readonly same: boolean }>([
    { a: 'a', b: 'a', same: true },
    { a: undefined, b: '', same: false },
    { a: new Set(['a', 'b']), b: new Set(['b', 'a']), same: true },
    { a: new Set(['a']), b: new Set(['b']), same: false },
    { a: new Set(), b: undefined, same: false },
    { a: new Map([['a', 1n]]), b: new Map([['a', 1n]]), same: true },
    { a: new Map([['a', 1n]]), b: new Map([['a', 2n]]), same: false },
    { a: new Map([['a', 1n]]), b: new Map([['b', 1n]]), same: false },
  ])('says $same for $a and $b', ({ a, b, same }) => {
    expect([isSameCell(a, b), isSameCell(b, a)]).toEqual([same, same]);
  });
});

function codec(kind: ColumnKind): ReturnType<typeof columnCodec> {
  const shape = columnShape(kind);
  const max = shape.kind === 'one' || shape.kind === 'optional' ? 1 : Infinity;
  const value = shape.kind === 'map' ? shape.value : undefined;
  return columnCodec(shape, { key: shape.key, value, min: shape.kind === 'one' ? 1 : 0, max });
}

function jsonMap(pairs: readonly (readonly [string, string])[]): JsonValue {
  return ['map', pairs];
}

/** As the server makes it: a key that goes with its old value, one that comes or changes with its new one. */
function mapDifference(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(before).filter(([key]) => !(key in after)),
    ...Object.entries(after).filter(([key, value]) => before[key] !== value),
  ];
}
