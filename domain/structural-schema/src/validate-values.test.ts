import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError, type Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { compileSchema } from './index.ts';

describe('values', () => {
  it.each<{ schema: Schema; value: JsonValue; errors: readonly string[] }>([
    { schema: { type: 'string' }, value: 'a', errors: [] },
    { schema: { type: 'integer' }, value: 'a', errors: [wrongType('integer', 'string')] },
    { schema: { type: 'string' }, value: 1, errors: [wrongType('string', 'integer')] },
    { schema: { type: 'string' }, value: 1.5, errors: [wrongType('string', 'number')] },
    { schema: { type: 'boolean' }, value: {}, errors: [wrongType('boolean', 'object')] },
    { schema: { type: 'object' }, value: [], errors: [wrongType('object', 'array')] },
    { schema: { type: 'array', items: { type: 'string' } }, value: true, errors: [wrongType('array', 'boolean')] },
    { schema: { type: 'string' }, value: null, errors: [wrongType('string', 'null')] },
    { schema: { type: 'string', nullable: true }, value: null, errors: [] },
    { schema: { type: 'number' }, value: 1, errors: [] },
    { schema: { 'x-kubernetes-int-or-string': true }, value: '50%', errors: [] },
    { schema: { 'x-kubernetes-int-or-string': true }, value: 8080, errors: [] },
    { schema: { 'x-kubernetes-int-or-string': true }, value: true, errors: [wrongType('integer,string', 'boolean')] },
    {
      schema: { type: 'integer' },
      value: 1.5,
      errors: [
        wrongType('integer', 'number'),
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
      ],
    },
    { schema: { type: 'integer' }, value: 9223372036854775807n, errors: [] },
    {
      schema: { type: 'integer' },
      value: 9223372036854775808n,
      errors: [
        wrongType('integer', 'number'),
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec',
      ],
    },
    {
      schema: { type: 'integer', format: 'int32' },
      value: 2 ** 31,
      errors: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec'],
    },
    { schema: { type: 'integer', minimum: 1 }, value: 0, errors: [bad('0', 'should be greater than or equal to 1')] },
    { schema: { type: 'integer', maximum: 3 }, value: 4, errors: [bad('4', 'should be less than or equal to 3')] },
    {
      schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      value: 1,
      errors: [bad('1', 'should be greater than 1')],
    },
    {
      schema: { type: 'number', maximum: 0.5, exclusiveMaximum: true },
      value: 0.5,
      errors: [bad('0.5', 'should be less than 0.5')],
    },
    { schema: { type: 'integer', multipleOf: 4 }, value: 6, errors: [bad('6', 'should be a multiple of 4')] },
    { schema: { type: 'integer', multipleOf: 4 }, value: 8, errors: [] },
    { schema: { type: 'number', multipleOf: 0.1 }, value: 0.7, errors: [] },
    { schema: { type: 'string', minLength: 1 }, value: '', errors: [bad('""', 'should be at least 1 chars long')] },
    {
      schema: { type: 'string', maxLength: 2 },
      value: 'abc',
      errors: ['spec: Too long: may not be more than 2 bytes'],
    },
    { schema: { type: 'string', maxLength: 2, minLength: 2 }, value: '😀😀', errors: [] },
    { schema: { type: 'string', pattern: '^a+$' }, value: 'b', errors: [bad('"b"', "should match '^a+$'")] },
    {
      schema: { type: 'string', enum: ['a', 'b'] },
      value: 'c',
      errors: ['spec: Unsupported value: "c": supported values: "a", "b"'],
    },
    {
      schema: { type: 'integer', enum: [1, 2] },
      value: 3,
      errors: ['spec: Unsupported value: 3: supported values: "1", "2"'],
    },
    { schema: { type: 'object', enum: [{ a: 1, b: 2 }] }, value: { b: 2, a: 1 }, errors: [] },
    {
      schema: { type: 'array', minItems: 1, items: { type: 'string' } },
      value: [],
      errors: [bad('0', 'should have at least 1 items')],
    },
    {
      schema: { type: 'array', maxItems: 1, items: { type: 'string' } },
      value: ['a', 'b'],
      errors: ['spec: Too many: 2: must have at most 1 item'],
    },
    {
      schema: { type: 'array', items: { type: 'string' } },
      value: ['a', 2],
      errors: ['spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "integer"'],
    },
    {
      schema: { type: 'object', minProperties: 1 },
      value: {},
      errors: [bad('0', 'should have at least 1 properties')],
    },
    {
      schema: { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer' } },
      value: { a: 1, b: 'x' },
      errors: [
        'spec: Too many: 2: must have at most 1 item',
        'spec.b: Invalid value: "string": spec.b in body must be of type integer: "string"',
      ],
    },
    { schema: { type: 'object', required: ['a'] }, value: {}, errors: ['spec.a: Required value'] },
    { schema: { type: 'object', required: ['constructor'] }, value: {}, errors: ['spec.constructor: Required value'] },
    {
      schema: { type: 'object', additionalProperties: false },
      value: { a: 1 },
      errors: ['spec: Invalid value: "a": spec.a in body is a forbidden property'],
    },
  ])('$value against $schema', ({ schema, value, errors }) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });
});

describe('alternatives', () => {
  const schema: Schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };

  it.each<{ name: string; schema: Schema; value: JsonValue; errors: readonly string[] }>([
    { name: 'one of two', schema, value: { a: 'x' }, errors: [] },
    {
      name: 'none of two',
      schema,
      value: {},
      errors: [overall('must validate one and only one schema (oneOf). Found none valid'), 'spec.a: Required value'],
    },
    {
      name: 'both of two',
      schema,
      value: { a: 'x', b: 'y' },
      errors: [overall('must validate one and only one schema (oneOf). Found 2 valid alternatives')],
    },
    {
      name: 'not any',
      schema: { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: -5 }] },
      value: 0,
      errors: [overall('must validate at least one schema (anyOf)'), bad('0', 'should be greater than or equal to 5')],
    },
    { name: 'any', schema: { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: -5 }] }, value: -6, errors: [] },
    {
      name: 'all but one',
      schema: { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 10 }] },
      value: 11,
      errors: [bad('11', 'should be less than or equal to 10'), overall('must validate all the schemas (allOf)')],
    },
    {
      name: 'none of all',
      schema: { type: 'integer', allOf: [{ minimum: 5 }] },
      value: 1,
      errors: [
        bad('1', 'should be greater than or equal to 5'),
        overall('must validate all the schemas (allOf). None validated'),
      ],
    },
    {
      name: 'what it must not be',
      schema: { type: 'string', not: { enum: ['x'] } },
      value: 'x',
      errors: [overall('must not validate the schema (not)')],
    },
    { name: 'what it need not be', schema: { type: 'string', not: { enum: ['x'] } }, value: 'y', errors: [] },
    {
      name: 'the alternative that fits best',
      schema: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'string' } },
        anyOf: [{ required: ['c', 'd'] }, { properties: { b: { minLength: 3 } }, required: ['a'] }],
      },
      value: { a: 1, b: 'x' },
      errors: [
        overall('must validate at least one schema (anyOf)'),
        'spec.b: Invalid value: "x": spec.b in body should be at least 3 chars long',
      ],
    },
  ])('$name', ({ schema: given, value, errors }) => {
    expect(errorsOf(given, value)).toEqual(errors);
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

function wrongType(expected: string, actual: string): string {
  return `spec: Invalid value: "${actual}": spec in body must be of type ${expected}: "${actual}"`;
}

function bad(value: string, words: string): string {
  return `spec: Invalid value: ${value}: spec in body ${words}`;
}

function overall(words: string): string {
  return `<nil>: Invalid value: "": "spec" ${words}`;
}
