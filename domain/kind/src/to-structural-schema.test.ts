import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';

import {
  anyObject,
  atomicListOf,
  choice,
  decimal,
  flag,
  int32,
  int64,
  integer,
  intOrString,
  keyedListOf,
  listOf,
  mapOf,
  of,
  quantitiesByName,
  quantity,
  QUANTITY_PATTERN,
  setOf,
  shape,
  text,
  time,
} from './field-builders.ts';
import { isNotStructural } from './kind-error.ts';
import { conditions } from './kubernetes-shapes.ts';
import { toStructuralSchema } from './to-structural-schema.ts';

describe('toStructuralSchema', () => {
  it.each<{ what: string; from: TSchema; to: unknown }>([
    { what: 'a text', from: text('A.', { minLength: 1 }), to: { description: 'A.', type: 'string', minLength: 1 } },
    { what: 'a text without a meaning', from: text(''), to: { type: 'string' } },
    {
      what: 'a flag',
      from: flag('A.', { default: false }),
      to: { description: 'A.', type: 'boolean', default: false },
    },
    { what: 'an integer', from: integer('A.'), to: { description: 'A.', type: 'integer' } },
    { what: 'an int32', from: int32('A.'), to: { description: 'A.', type: 'integer', format: 'int32' } },
    {
      what: 'an int64',
      from: int64('A.', { minimum: 0 }),
      to: { description: 'A.', type: 'integer', format: 'int64', minimum: 0 },
    },
    { what: 'a decimal', from: decimal('A.'), to: { description: 'A.', type: 'number' } },
    {
      what: 'a time',
      from: time('A.', { nullable: true }),
      to: { description: 'A.', type: 'string', format: 'date-time', nullable: true },
    },
    { what: 'a choice', from: choice(['', 'b'], 'A.'), to: { description: 'A.', type: 'string', enum: ['', 'b'] } },
    {
      what: 'literals',
      from: Type.Union([Type.Literal('a'), Type.Literal('b')]),
      to: { type: 'string', enum: ['a', 'b'] },
    },
    { what: 'one literal', from: Type.Literal('a'), to: { type: 'string', enum: ['a'] } },
    {
      what: 'a quantity',
      from: quantity('A.'),
      to: {
        description: 'A.',
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: QUANTITY_PATTERN,
        'x-kubernetes-int-or-string': true,
      },
    },
    {
      what: 'an integer or a string',
      from: intOrString('A.'),
      to: { description: 'A.', anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    },
    {
      what: 'a list',
      from: listOf(text(''), 'A.', { maxItems: 2 }),
      to: { description: 'A.', type: 'array', maxItems: 2, items: { type: 'string' } },
    },
    {
      what: 'an atomic list',
      from: atomicListOf(integer(''), ''),
      to: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'atomic' },
    },
    {
      what: 'a set',
      from: setOf(text(''), ''),
      to: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    {
      what: 'a map',
      from: mapOf(integer(''), 'A.'),
      to: { description: 'A.', type: 'object', additionalProperties: { type: 'integer' } },
    },
    {
      what: 'an object of unknown fields',
      from: anyObject('A.'),
      to: { description: 'A.', type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true },
    },
  ])('turns $what into its structural form', ({ from, to }) => {
    expect(toStructuralSchema(from)).toEqual(to);
  });

  it('keeps the names of shapes to itself', () => {
    const disk = shape({
      name: 'Disk',
      description: 'A disk.',
      required: ['name'],
      fields: { name: text(''), size: quantitiesByName('') },
    });

    const schema = toStructuralSchema(keyedListOf({ item: of(disk, 'The one.'), keys: ['name'] }, 'All.'));

    expect(schema).toMatchObject({
      description: 'All.',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      items: { description: 'The one.', required: ['name'], properties: { name: { type: 'string' } } },
    });
    expect(JSON.stringify(schema)).not.toMatch(/\$id|title/);
  });

  it('lists conditions by their type', () => {
    expect(toStructuralSchema(conditions('All.'))).toMatchObject({
      'x-kubernetes-list-map-keys': ['type'],
      items: { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
    });
  });

  it.each([
    { what: 'a tuple', from: Type.Tuple([Type.String()]), complaint: 'not allowed' },
    {
      what: 'a union of types',
      from: Type.Union([Type.String(), Type.Integer()]),
      complaint: 'the schema: the type null is not allowed',
    },
    {
      what: 'an intersection',
      from: Type.Intersect([Type.Object({}), Type.Object({})]),
      complaint: 'the schema: "allOf" is not allowed',
    },
    { what: 'null', from: Type.Null(), complaint: 'the schema: the type "null" is not allowed' },
    { what: 'anything', from: Type.Unknown(), complaint: 'the schema: the type null is not allowed' },
    {
      what: 'an enumeration of numbers',
      from: Type.Literal(3),
      complaint: 'the schema: only strings can be enumerated',
    },
    { what: 'a reference', from: Type.Ref('Disk'), complaint: 'the schema: "$ref" is not allowed' },
    {
      what: 'an option of another world',
      from: Type.String({ contentEncoding: 'base64' }),
      complaint: '"contentEncoding" is not allowed',
    },
    {
      what: 'a closed object',
      from: Type.Object({ a: Type.String() }, { additionalProperties: false }),
      complaint: 'the schema: additionalProperties must be a schema',
    },
    {
      what: 'fields beside a map',
      from: Type.Object({ a: Type.String() }, { additionalProperties: Type.String() }),
      complaint: 'the schema: properties and additionalProperties exclude each other',
    },
    {
      what: 'a map with keys of a pattern',
      from: Type.Record(Type.String({ pattern: '^a' }), Type.String()),
      complaint: 'the schema: keys of a map may have no pattern',
    },
    {
      what: 'trouble deep inside, by its path',
      from: Type.Object({ disks: Type.Array(Type.Object({ any: Type.Null() })) }),
      complaint: '.disks[].any: the type "null" is not allowed',
    },
  ])('refuses $what', ({ from, complaint }) => {
    const convert = (): unknown => toStructuralSchema(from);

    expect(convert).toThrow(complaint);
    expect(convert).toThrow(expect.toSatisfy(isNotStructural));
  });
});
