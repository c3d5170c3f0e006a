import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { objectType } from './field-type.ts';
import { findMisfits } from './validate-object.ts';

describe('findMisfits', () => {
  it.each<{ readonly spec: JsonValue; readonly wrong: string }>([
    { spec: { none: 1 }, wrong: '.spec.none: field not declared in schema' },
    { spec: Object.fromEntries([['constructor', 1]]), wrong: '.spec.constructor: field not declared in schema' },
    { spec: { replicas: 'x' }, wrong: '.spec.replicas: expected numeric (int or float), got string' },
    { spec: { replicas: true }, wrong: '.spec.replicas: expected numeric (int or float), got bool' },
    { spec: { labels: { a: 1 } }, wrong: '.spec.labels.a: expected string, got &value.valueUnstructured{Value:1}' },
    { spec: { paused: 'x' }, wrong: '.spec.paused: expected boolean, got &{x}' },
    { spec: { either: { a: 1 } }, wrong: '.spec.either: expected any scalar, got &{map[a:1]}' },
    { spec: { disks: {} }, wrong: '.spec.disks: expected list, got &{map[]}' },
    { spec: { labels: ['a'] }, wrong: '.spec.labels: expected map, got &{[a]}' },
    { spec: { disks: [{ name: 'a' }, { name: 'a' }] }, wrong: '.spec.disks: duplicate entries for key [name="a"]' },
    { spec: { tags: ['a', 'a'] }, wrong: '.spec.tags: duplicate entries for key [="a"]' },
    {
      spec: { disks: [null] },
      wrong: '.spec.disks: element 0: associative list with keys may not have a null element',
    },
    { spec: { disks: [1] }, wrong: '.spec.disks: element 0: associative list with keys may not have non-map elements' },
    {
      spec: { disks: [{ size: '1' }] },
      wrong:
        '.spec.disks: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    },
    {
      spec: { tags: [null] },
      wrong: ".spec.tags: element 0: associative list without keys has an element that's an explicit null",
    },
    { spec: { tags: [[]] }, wrong: '.spec.tags: element 0: not supported: associative list with lists as elements' },
    {
      spec: { tags: [{}] },
      wrong: ".spec.tags: element 0: associative list without keys has an element that's a map type",
    },
    { spec: { args: ['a', 1] }, wrong: '.spec.args[1]: expected string, got &value.valueUnstructured{Value:1}' },
    {
      spec: { disks: [{ name: 'a', size: [] }] },
      wrong: '.spec.disks[name="a"].size: expected string, got &value.valueUnstructured{Value:[]interface {}{}}',
    },
    {
      spec: { replicas: 'x', paused: 1 },
      wrong:
        'errors:\n  .spec.replicas: expected numeric (int or float), got string\n  .spec.paused: expected boolean, got &{1}',
    },
  ])('says of $spec: $wrong', ({ spec, wrong }) => {
    expect(findMisfits(anObject(spec), objectType(SCHEMA), false)).toBe(wrong);
  });

  it.each<{ readonly spec: JsonValue }>([
    { spec: null },
    { spec: { replicas: null, labels: null, disks: null } },
    { spec: { replicas: 1.5, either: 'x', anything: [{ a: [1, null] }, 'x'], free: { a: { b: [{}] } } } },
    { spec: { replicas: 2n ** 60n, either: 1 } },
  ])('finds nothing wrong with $spec', ({ spec }) => {
    expect(findMisfits(anObject(spec), objectType(SCHEMA), false)).toBeUndefined();
  });

  it('lets a live object have duplicates', () => {
    const object = anObject({ disks: [{ name: 'a' }, { name: 'a' }], tags: ['x', 'x'] });

    expect(findMisfits(object, objectType(SCHEMA), true)).toBeUndefined();
  });

  it('lets a recursive schema describe objects of any depth', () => {
    const properties: Record<string, Schema> = { name: TEXT };
    const node: Schema = { type: 'object', properties };
    properties['child'] = node;
    const type = objectType({ type: 'object', properties: { root: node } });

    expect(findMisfits({ root: { child: { child: { name: 1 } } } }, type, false)).toBe(
      '.root.child.child.name: expected string, got &value.valueUnstructured{Value:1}',
    );
  });
});

const TEXT: Schema = { type: 'string' };
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        paused: { type: 'boolean' },
        either: { 'x-kubernetes-int-or-string': true },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: TEXT },
        args: { type: 'array', items: TEXT },
        tags: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
        disks: {
          type: 'array',
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'name',
          items: { type: 'object', properties: { name: TEXT, size: TEXT } },
        },
      },
    },
  },
};

function anObject(spec: JsonValue): JsonObject {
  return { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' }, spec };
}
