import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError, type Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { compileSchema } from './index.ts';

describe('lists that are sets or maps', () => {
  const set: Schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  const map: Schema = {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };

  it.each<{ schema: Schema; value: JsonValue; errors: readonly string[] }>([
    { schema: set, value: ['a', 'b'], errors: [] },
    { schema: set, value: ['a', 'b', 'a', 'a'], errors: ['spec[2]: Duplicate value: "a"'] },
    { schema: map, value: [{ name: 'a' }, { name: 'b' }], errors: [] },
    {
      schema: map,
      value: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
      ],
      errors: ['spec[1]: Duplicate value: {"name":"a"}'],
    },
    { schema: map, value: [{}, {}], errors: ['spec[1]: Duplicate value: {}'] },
    {
      schema: { ...map, 'x-kubernetes-list-map-keys': ['port', 'name'] },
      value: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
        { port: 1, name: 'a' },
      ],
      errors: ['spec[2]: Duplicate value: {"name":"a","port":1}'],
    },
  ])('$value', ({ schema, value, errors }) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });

  it('leaves a list alone that was wrong before', () => {
    const compiled = compileSchema(root(set));
    const old = object(['a', 'a']);

    expect(compiled.validate(object(['a', 'a', 'b', 'b']), { old })).toEqual([]);
    expect(compiled.validate(object(['b', 'b']), { old: object(['b']) }).map(formatFieldError)).toEqual([
      'spec[1]: Duplicate value: "b"',
    ]);
  });
});

describe('embedded resources', () => {
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };

  it.each<{ value: JsonValue; errors: readonly string[] }>([
    { value: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, errors: [] },
    { value: { apiVersion: 'v1', kind: 'Pod' }, errors: [] },
    { value: {}, errors: ['spec.apiVersion: Required value', 'spec.kind: Required value'] },
    {
      value: { apiVersion: 'a/b/c', kind: '' },
      errors: [
        'spec.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        'spec.kind: Invalid value: "": must not be empty',
      ],
    },
    {
      value: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } },
      errors: ['spec.metadata.name: Invalid value: "a/b": may not contain \'/\''],
    },
    {
      value: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } },
      errors: [
        'spec.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      ],
    },
  ])('$value', ({ value, errors }) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });
});

function errorsOf(schema: Schema, value: JsonValue): readonly string[] {
  return compileSchema(root(schema)).validate(object(value)).map(formatFieldError);
}

function root(spec: Schema): Schema {
  return { type: 'object', properties: { spec } };
}

function object(spec: JsonValue): JsonObject {
  return { apiVersion: 'a.b/v1', kind: 'A', metadata: { name: 'x' }, spec };
}
