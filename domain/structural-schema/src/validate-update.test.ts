import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError, type Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { compileSchema } from './index.ts';

describe('what is replaced', () => {
  const schema = root({
    type: 'object',
    properties: {
      size: { type: 'integer', maximum: 10 },
      name: { type: 'string', maxLength: 3 },
      disks: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 10 } } },
      },
      ports: { type: 'array', items: { type: 'integer', maximum: 10 } },
      one: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'string' } },
        anyOf: [{ properties: { a: { maximum: 3 } } }],
      },
    },
  });

  it.each<{ name: string; old: JsonValue; value: JsonValue; errors: readonly string[] }>([
    { name: 'an invalid field stays', old: { size: 11, name: 'a' }, value: { size: 11, name: 'b' }, errors: [] },
    {
      name: 'an invalid field changes to another invalid value',
      old: { size: 11 },
      value: { size: 12 },
      errors: ['spec.size: Invalid value: 12: spec.size in body should be less than or equal to 10'],
    },
    {
      name: 'an invalid item of a list-map stays while another comes',
      old: { disks: [{ name: 'a', size: 11 }] },
      value: {
        disks: [
          { name: 'b', size: 1 },
          { name: 'a', size: 11 },
        ],
      },
      errors: [],
    },
    {
      name: 'an invalid item of another list stays while another comes',
      old: { ports: [11] },
      value: { ports: [11, 1] },
      errors: ['spec.ports[0]: Invalid value: 11: spec.ports[0] in body should be less than or equal to 10'],
    },
    {
      name: 'an invalid field inside an alternative stays while another changes',
      old: { one: { a: 5, b: '1' } },
      value: { one: { a: 5, b: '2' } },
      errors: [
        '<nil>: Invalid value: "": "spec.one" must validate at least one schema (anyOf)',
        'spec.one.a: Invalid value: 5: spec.one.a in body should be less than or equal to 3',
      ],
    },
    { name: 'another list stays as it is', old: { ports: [11], size: 1 }, value: { ports: [11], size: 2 }, errors: [] },
  ])('$name', ({ old, value, errors }) => {
    const found = compileSchema(schema).validate(object(value), { old: object(old) });

    expect(found.map(formatFieldError)).toEqual(errors);
  });

  it('tells of the status from its own root, and of nothing else when only that is written', () => {
    const withStatus: Schema = {
      type: 'object',
      properties: {
        spec: { type: 'integer' },
        status: {
          type: 'object',
          required: ['phase'],
          properties: { phase: { type: 'string' }, n: { type: 'integer' } },
        },
      },
    };

    const errors = compileSchema(withStatus).validate({ spec: 'x', status: { n: 'y' } }, { old: {}, isStatus: true });

    expect(errors.map(formatFieldError)).toEqual([
      'status.n: Invalid value: "string": n in body must be of type integer: "string"',
      'status.phase: Required value',
    ]);
  });
});

function root(spec: Schema): Schema {
  return { type: 'object', properties: { spec } };
}

function object(spec: JsonValue): JsonObject {
  return { apiVersion: 'a.b/v1', kind: 'A', metadata: { name: 'x' }, spec };
}
