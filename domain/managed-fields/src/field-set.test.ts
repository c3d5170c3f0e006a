import type { JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  differenceOf,
  type FieldSet,
  fieldSetOfPaths,
  hasPath,
  intersectionOf,
  isEmptySet,
  leavesOf,
  pathsOf,
  recursiveDifferenceOf,
  unionOf,
} from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { parseFieldSet } from './parse-field-set.ts';

describe('parseFieldSet', () => {
  it('puts elements in the order of Kubernetes and makes them canonical', () => {
    const set = parseFieldSet({
      'v:"b"': {},
      'v:2': {},
      'i:10': {},
      'i:9': {},
      'k:{"protocol":"TCP", "port":80}': { 'f:port': {}, '.': {} },
      'k:{"port":8}': {},
      'f:b': { 'f:x': {} },
      'f:a': {},
      'v:true': {},
      'x:later': {},
    });

    expect(JSON.stringify(set)).toBe(
      JSON.stringify({
        'f:a': {},
        'f:b': { 'f:x': {} },
        'k:{"port":8}': {},
        'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
        'v:2': {},
        'v:"b"': {},
        'v:true': {},
        'i:9': {},
        'i:10': {},
      }),
    );
  });

  it('orders keys by their values and not by their text', () => {
    const set = parseFieldSet({ 'k:{"name":"a!"}': {}, 'k:{"name":"a"}': {}, 'v:"\u{1f600}"': {}, 'v:"\uffee"': {} });

    expect(Object.keys(set)).toEqual(['k:{"name":"a"}', 'k:{"name":"a!"}', 'v:"\uffee"', 'v:"\u{1f600}"']);
  });

  it('escapes values as Go does', () => {
    expect(Object.keys(parseFieldSet({ 'v:"<\\b&\\\\b"': {} }))).toEqual([String.raw`v:"\u003c\u0008\u0026\\b"`]);
  });

  it.each([
    { set: { a: {} }, message: 'key must be 2 characters long:' },
    { set: { abc: {} }, message: 'missing colon: abc' },
    { set: { 'f:a': 1 }, message: 'expected an object in FieldsV1 below f:a' },
    { set: { 'i:x': {} }, message: 'strconv.Atoi: parsing "x": invalid syntax' },
    { set: { 'k:1': {} }, message: 'the keys of a list item must be an object: k:1' },
    { set: { 'v:{': {} }, message: /^v:\{: / },
  ])('refuses $set', ({ set, message }) => {
    expect(() => parseFieldSet(set as JsonValue)).toThrow(message);
  });

  it('reads back what it made', () => {
    fc.assert(
      fc.property(fieldSets(), (set) => {
        expect(JSON.stringify(parseFieldSet(set))).toBe(JSON.stringify(set));
      }),
    );
  });
});

describe('set operations', () => {
  it.each([
    { name: 'union', operation: unionOf, holds: (left: boolean, right: boolean) => left || right },
    { name: 'intersection', operation: intersectionOf, holds: (left: boolean, right: boolean) => left && right },
    { name: 'difference', operation: differenceOf, holds: (left: boolean, right: boolean) => left && !right },
  ])('$name holds the right paths in canonical form', ({ operation, holds }) => {
    fc.assert(
      fc.property(fieldSets(), fieldSets(), (left, right) => {
        const result = operation(left, right);

        const all = [...pathsOf(left), ...pathsOf(right)];
        const expected = new Set(all.filter((path) => holds(hasPath(left, path), hasPath(right, path))).map(String));
        expect(new Set(pathsOf(result).map(String))).toEqual(expected);
        expect(JSON.stringify(parseFieldSet(result))).toBe(JSON.stringify(result));
      }),
    );
  });

  it('makes the difference of all with itself empty', () => {
    fc.assert(
      fc.property(fieldSets(), (set) => {
        expect(isEmptySet(differenceOf(set, set))).toBe(true);
      }),
    );
  });

  it('takes with a field all that is below it', () => {
    const set = fieldSetOfPaths([['a'], ['a', 'b'], ['a', 'b', 'c'], ['d']]);

    expect(recursiveDifferenceOf(set, fieldSetOfPaths([['a', 'b']]))).toEqual({ 'f:a': {}, 'f:d': {} });
  });

  it('returns the set itself when nothing is taken from it', () => {
    const set = fieldSetOfPaths([['a', 'b']]);

    expect(differenceOf(set, fieldSetOfPaths([['a'], ['c']]))).toBe(set);
  });

  it('finds the leaves', () => {
    expect(leavesOf(parseFieldSet({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} }))).toEqual({
      'f:a': { 'f:b': {} },
      'f:c': {},
    });
  });
});

function fieldSets(): fc.Arbitrary<FieldSet> {
  const element = fc.oneof(
    fc.constantFrom('f:a', 'f:b', 'f:constructor', 'k:{"name":"a"}', 'k:{"name":"b","port":1}', 'i:3'),
    fc.string().map((text) => `v:${JSON.stringify(text)}`),
    fc.integer().map((value) => `v:${value}`),
  );
  return fc.array(fc.array(element, { minLength: 1, maxLength: 4 })).map((paths) => {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return parseFieldSet(builder.build());
  });
}
