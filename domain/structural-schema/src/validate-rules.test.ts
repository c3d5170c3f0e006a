import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError, type Schema, type ValidationRule } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { compileSchema } from './index.ts';

describe('rules', () => {
  const fields: Schema = {
    type: 'object',
    properties: {
      cpus: { type: 'integer' },
      maxCpus: { type: 'integer' },
      name: { type: 'string' },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
    },
  };

  it.each<{ rule: ValidationRule; spec: JsonValue; errors: readonly string[] }>([
    { rule: { rule: 'self.cpus <= self.maxCpus' }, spec: { cpus: 1, maxCpus: 2 }, errors: [] },
    {
      rule: { rule: ' self.cpus <= self.maxCpus ' },
      spec: { cpus: 3, maxCpus: 2 },
      errors: ['spec: Invalid value: failed rule: self.cpus <= self.maxCpus'],
    },
    {
      rule: { rule: 'self.cpus <= self.maxCpus', message: ' too many ' },
      spec: { cpus: 3, maxCpus: 2 },
      errors: ['spec: Invalid value: too many'],
    },
    {
      rule: { rule: 'false', message: 'm', messageExpression: '"has " + string(self.cpus)' },
      spec: { cpus: 3 },
      errors: ['spec: Invalid value: has 3'],
    },
    {
      rule: { rule: 'false', message: 'm', messageExpression: 'self.name' },
      spec: { cpus: 3 },
      errors: ['spec: Invalid value: m'],
    },
    { rule: { rule: 'false', reason: 'FieldValueForbidden', message: 'm' }, spec: {}, errors: ['spec: Forbidden: m'] },
    {
      rule: { rule: 'false', reason: 'FieldValueRequired', message: 'm' },
      spec: {},
      errors: ['spec: Required value: m'],
    },
    {
      rule: { rule: 'false', reason: 'FieldValueDuplicate', message: 'm' },
      spec: {},
      errors: ['spec: Duplicate value'],
    },
    {
      rule: { rule: 'false', message: 'm', fieldPath: '.name' },
      spec: {},
      errors: ['spec.name: Invalid value: m'],
    },
    {
      rule: { rule: 'false', message: 'm', fieldPath: ".tags['a.b']" },
      spec: {},
      errors: ['spec.tags[a.b]: Invalid value: m'],
    },
    {
      rule: { rule: 'self.cpus > 1' },
      spec: {},
      errors: ['spec: Invalid value: "object": no such key: cpus evaluating rule: self.cpus > 1'],
    },
  ])('$rule on $spec', ({ rule, spec, errors }) => {
    const compiled = compileSchema(root({ ...fields, 'x-kubernetes-validations': [rule] }));

    expect(compiled.validate(object(spec)).map(formatFieldError)).toEqual(errors);
  });

  it('show the value where it is no object or list', () => {
    const schema = root({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] });

    expect(compileSchema(schema).validate(object(1)).map(formatFieldError)).toEqual([
      'spec: Invalid value: 1: failed rule: self > 1',
    ]);
  });

  it('tell of the root without a path', () => {
    const schema: Schema = {
      ...root({ type: 'string' }),
      'x-kubernetes-validations': [
        { rule: 'self.metadata.name == "y"' },
        { rule: 'false', message: 'm', fieldPath: '.spec' },
      ],
    };

    expect(compileSchema(schema).validate(object('a')).map(formatFieldError)).toEqual([
      '<nil>: Invalid value: failed rule: self.metadata.name == "y"',
      'spec: Invalid value: m',
    ]);
  });

  it('are not run on what is missing something', () => {
    const schema = root({ ...fields, required: ['name'], 'x-kubernetes-validations': [{ rule: 'false' }] });

    expect(compileSchema(schema).validate(object({})).map(formatFieldError)).toEqual([
      'spec.name: Required value',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('are run on items and entries', () => {
    const rules = [{ rule: 'self != "x"', message: 'not x' }];
    const schema = root({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': rules } },
        map: { type: 'object', additionalProperties: { type: 'string', 'x-kubernetes-validations': rules } },
      },
    });

    const errors = compileSchema(schema).validate(object({ list: ['a', 'x'], map: { k: 'x' } }));

    expect(errors.map(formatFieldError)).toEqual([
      'spec.list[1]: Invalid value: "x": not x',
      'spec.map[k]: Invalid value: "x": not x',
    ]);
  });

  it('stop when the budget is spent', () => {
    const rule = 'self.all(a, self.all(b, a != b || a == b))';
    const list: Schema = { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }] };
    const values = Array.from({ length: 400 }, (_item, index) => index);
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_item, index) => [`p${index}`, list]));
    const spec = Object.fromEntries(Object.keys(properties).map((name) => [name, values]));

    const errors = compileSchema(root({ type: 'object', properties }))
      .validate(object(spec))
      .map(formatFieldError);

    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/no further validation rules will be run/);
  });
});

describe('rules about changes', () => {
  const immutable = [{ rule: 'self == oldSelf', message: 'immutable' }];

  it.each<{ name: string; schema: Schema; old: JsonValue; value: JsonValue; errors: readonly string[] }>([
    {
      name: 'a changed field',
      schema: { type: 'string', 'x-kubernetes-validations': immutable },
      old: 'a',
      value: 'b',
      errors: ['spec: Invalid value: "b": immutable'],
    },
    {
      name: 'an unchanged field',
      schema: { type: 'string', 'x-kubernetes-validations': immutable },
      old: 'a',
      value: 'a',
      errors: [],
    },
    {
      name: 'an item of a list-map',
      schema: listMap({ type: 'string', 'x-kubernetes-validations': immutable }),
      old: [
        { name: 'a', v: '1' },
        { name: 'b', v: '2' },
      ],
      value: [
        { name: 'b', v: '3' },
        { name: 'c', v: '4' },
      ],
      errors: ['spec[0].v: Invalid value: "3": immutable'],
    },
    {
      name: 'an item of an atomic list, which has no old value',
      schema: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': immutable } },
      old: ['a'],
      value: ['b'],
      errors: [],
    },
    {
      name: 'an entry of a map',
      schema: { type: 'object', additionalProperties: { type: 'string', 'x-kubernetes-validations': immutable } },
      old: { a: '1' },
      value: { a: '2', b: '3' },
      errors: ['spec[a]: Invalid value: "2": immutable'],
    },
  ])('$name', ({ schema, old, value, errors }) => {
    const found = compileSchema(root(schema)).validate(object(value), { old: object(old) });

    expect(found.map(formatFieldError)).toEqual(errors);
  });

  it('are run without an old value only when they say so', () => {
    const rules = [
      { rule: 'self == oldSelf', message: 'plain' },
      { rule: 'oldSelf.hasValue() && self == oldSelf.value()', optionalOldSelf: true, message: 'optional' },
    ];
    const compiled = compileSchema(root({ type: 'string', 'x-kubernetes-validations': rules }));

    expect(compiled.validate(object('a')).map(formatFieldError)).toEqual(['spec: Invalid value: "a": optional']);
    expect(compiled.validate(object('a'), { old: object('a') })).toEqual([]);
  });

  it('leave a value alone that broke a rule before and did not change', () => {
    const schema = root({
      type: 'object',
      properties: {
        a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "bad"', message: 'no' }] },
        b: { type: 'string' },
      },
    });
    const compiled = compileSchema(schema);

    expect(compiled.validate(object({ a: 'bad', b: '2' }), { old: object({ a: 'bad', b: '1' }) })).toEqual([]);
    expect(compiled.validate(object({ a: 'bad' }), { old: object({ a: 'ok' }) }).map(formatFieldError)).toEqual([
      'spec.a: Invalid value: "bad": no',
    ]);
  });
});

function root(spec: Schema): Schema {
  return { type: 'object', properties: { spec } };
}

function object(spec: JsonValue): JsonObject {
  return { apiVersion: 'a.b/v1', kind: 'A', metadata: { name: 'x' }, spec };
}

function listMap(value: Schema): Schema {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', properties: { name: { type: 'string' }, v: value } },
  };
}
