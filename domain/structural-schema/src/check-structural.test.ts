import { formatFieldError, type Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { checkStructural } from './index.ts';

const text: Schema = { type: 'string' };

describe('checkStructural', () => {
  it.each<{ schema: Schema; errors: readonly string[] }>([
    { schema: text, errors: [] },
    { schema: {}, errors: ['x.type: Required value: must not be empty for specified object fields'] },
    { schema: { 'x-kubernetes-int-or-string': true }, errors: [] },
    { schema: { 'x-kubernetes-preserve-unknown-fields': true }, errors: [] },
    { schema: { type: 'array' }, errors: ['x.items: Required value: must be specified'] },
    {
      schema: { type: 'array', items: {} },
      errors: ['x.items.type: Required value: must not be empty for specified array items'],
    },
    {
      schema: { type: 'integer', anyOf: [{ type: 'integer' }, { minimum: 1, description: 'd' }] },
      errors: [
        'x.anyOf[0].type: Forbidden: must be empty to be structural',
        'x.anyOf[1].description: Forbidden: must be empty to be structural',
      ],
    },
    { schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] }, errors: [] },
    {
      schema: {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, text] }, { pattern: '^a' }],
      },
      errors: [],
    },
    {
      schema: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      errors: [
        'x.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
      ],
    },
    {
      schema: { type: 'object', 'x-kubernetes-embedded-resource': true },
      errors: [
        'x.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    },
    {
      schema: { ...text, pattern: '(' },
      errors: [
        'x.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    },
    {
      schema: { type: 'integer', default: 'x' },
      errors: ['x.default: Invalid value: "string":  in body must be of type integer: "string"'],
    },
    {
      schema: { type: 'object', default: { b: 1 }, properties: { a: text } },
      errors: ['x.default: Invalid value: {"b":1}: must not have unknown fields'],
    },
    {
      schema: { type: 'array', items: text, uniqueItems: true },
      errors: [
        'x.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    },
    { schema: { ...text, $ref: '#/a' }, errors: ['x.$ref: Forbidden: $ref is not supported'] },
    {
      schema: { type: 'object', properties: { a: text }, additionalProperties: text },
      errors: ['x.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    },
    {
      schema: { type: 'array', items: text, 'x-kubernetes-list-type': 'map' },
      errors: [
        'x.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
        'x.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
      ],
    },
    {
      schema: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'q'],
        items: { type: 'object', properties: { name: text } },
      },
      errors: [
        'x.x-kubernetes-list-map-keys: Invalid value: ["name","q"]: entries must all be names of item properties',
        'x.items.properties[name].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    },
    {
      schema: { type: 'array', items: { type: 'object', properties: { a: text } }, 'x-kubernetes-list-type': 'set' },
      errors: [
        'x.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    },
    {
      schema: { ...text, 'x-kubernetes-validations': [{ rule: '' }] },
      errors: ['x.x-kubernetes-validations[0].rule: Required value: rule is not specified'],
    },
    {
      schema: { ...text, 'x-kubernetes-validations': [{ rule: 'self ==\n"a"' }] },
      errors: [
        'x.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
      ],
    },
    {
      schema: {
        type: 'object',
        properties: { a: text },
        'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }],
      },
      errors: ['x.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path'],
    },
    {
      schema: { ...text, 'x-kubernetes-validations': [{ rule: 'self' }] },
      errors: [
        'x.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
      ],
    },
    {
      schema: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] },
      errors: [
        'x.x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
      ],
    },
    {
      schema: { type: 'array', items: { ...text, 'x-kubernetes-validations': [{ rule: 'self.contains("a")' }] } },
      errors: [
        'x.items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
        'x.items.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        'r: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      ],
    },
    {
      schema: { ...text, 'x-kubernetes-validations': [{ rule: 'true', optionalOldSelf: true }] },
      errors: [
        'x.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
      ],
    },
    {
      schema: {
        type: 'array',
        items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
        maxItems: 3,
      },
      errors: [
        'x.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within x',
      ],
    },
  ])('finds $errors', ({ schema, errors }) => {
    const found = checkStructural({ type: 'object', properties: { p: schema } }, { path: 'r' }).map(formatFieldError);

    expect(found.map((error) => error.replaceAll('r.properties[p]', 'x'))).toEqual(errors);
  });

  it.each<{ schema: Schema; errors: readonly string[] }>([
    {
      schema: { type: 'object', properties: { a: text }, oneOf: [{ properties: { b: { minLength: 1 } } }] },
      errors: ['r.properties[b]: Required value: because it is defined in r.oneOf[0].properties[b]'],
    },
    { schema: {}, errors: ['r.type: Required value: must not be empty at the root'] },
    { schema: { type: 'string' }, errors: ['r.type: Invalid value: "string": must be object at the root'] },
    {
      schema: { type: 'object', additionalProperties: text },
      errors: ['r.additionalProperties: Forbidden: must not be used at the root'],
    },
    {
      schema: { type: 'object', nullable: true },
      errors: ['r.nullable: Forbidden: nullable cannot be true at the root'],
    },
    {
      schema: {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { ...text, pattern: 'a' } } } },
      },
      errors: [],
    },
    {
      schema: {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      },
      errors: [
        'r.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    },
    {
      schema: { type: 'object', properties: { kind: { type: 'integer' } } },
      errors: ['r.properties[kind].type: Invalid value: "integer": must be string'],
    },
    {
      schema: { type: 'object', properties: { kind: { ...text, default: 'A' } } },
      errors: ['r.properties[kind].default: Forbidden: must not be set in top-level kind'],
    },
  ])('finds $errors at the root', ({ schema, errors }) => {
    expect(checkStructural(schema, { path: 'r' }).map(formatFieldError)).toEqual(errors);
  });

  it('allows little at the root beside a status', () => {
    const errors = checkStructural({ type: 'object', oneOf: [], minProperties: 1 }, { path: 'r', hasStatus: true });

    expect(errors.map(formatFieldError)).toEqual([
      'r: Invalid value: {"minProperties":1,"oneOf":[],"type":"object"}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
    ]);
  });
});
