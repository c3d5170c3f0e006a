import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileSchema } from './index.ts';

describe('prune', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          known: { type: 'string' },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { strict: { type: 'object' } },
          },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          any: { type: 'object', additionalProperties: true },
          disks: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          pod: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
        },
      },
    },
  };

  it.each<{ name: string; spec: JsonValue; kept: JsonValue; unknownFields: readonly string[] }>([
    {
      name: 'a field nobody knows',
      spec: { known: 'a', other: 1 },
      kept: { known: 'a' },
      unknownFields: ['spec.other'],
    },
    {
      name: 'fields of items',
      spec: { disks: [{ name: 'a' }, { x: 1 }] },
      kept: { disks: [{ name: 'a' }, {}] },
      unknownFields: ['spec.disks[1].x'],
    },
    {
      name: 'nothing where all is kept',
      spec: { free: { a: { b: 1 } } },
      kept: { free: { a: { b: 1 } } },
      unknownFields: [],
    },
    {
      name: 'what is unknown inside a known part of where all is kept',
      spec: { free: { strict: { a: 1 } } },
      kept: { free: { strict: {} } },
      unknownFields: ['spec.free.strict.a'],
    },
    { name: 'nothing of a map', spec: { tags: { a: 'b' } }, kept: { tags: { a: 'b' } }, unknownFields: [] },
    {
      name: 'what is inside a map of anything',
      spec: { any: { a: { b: 1 } } },
      kept: { any: { a: {} } },
      unknownFields: ['spec.any.a.b'],
    },
    {
      name: 'unknown metadata of an embedded object',
      spec: { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', x: 1 }, spec: {}, extra: 1 } },
      kept: { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: {} } },
      unknownFields: ['spec.pod.extra', 'spec.pod.metadata.x'],
    },
    { name: 'a name that all objects have', spec: { constructor: 1 }, kept: {}, unknownFields: ['spec.constructor'] },
  ])('drops $name', ({ spec, kept, unknownFields }) => {
    expect(compileSchema(schema).prune(object(spec))).toEqual({ object: object(kept), unknownFields });
  });

  it('drops unknown and empty metadata, and keeps the rest of the root that all objects have', () => {
    const given = {
      apiVersion: 'a/v1',
      kind: 'A',
      metadata: { name: 'x', creationTimestamp: null, labels: {}, foo: 1 },
      other: 1,
    };

    expect(compileSchema(schema).prune(given)).toEqual({
      object: { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x' } },
      unknownFields: ['metadata.foo', 'other'],
    });
  });

  it('hands back the same object when there is nothing to drop', () => {
    const given = object({ known: 'a', disks: [{ name: 'b' }] });

    expect(compileSchema(schema).prune(given).object).toBe(given);
  });
});

describe('default', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        default: {},
        properties: {
          size: { type: 'integer', default: 1 },
          maybe: { type: 'string', nullable: true, default: 'x' },
          nested: {
            type: 'object',
            default: { a: 1 },
            properties: { a: { type: 'integer' }, b: { type: 'integer', default: 2 } },
          },
          plain: { type: 'string' },
          list: {
            type: 'array',
            items: { type: 'object', properties: { bus: { type: 'string', default: 'virtio' } } },
          },
          map: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
          },
        },
      },
    },
  };
  const all = { size: 1, maybe: 'x', nested: { a: 1, b: 2 } };

  it.each<{ name: string; spec: JsonObject; filled: JsonObject }>([
    { name: 'what is missing', spec: {}, filled: all },
    { name: 'nothing that is there', spec: { ...all, size: 5 }, filled: { ...all, size: 5 } },
    { name: 'a null that may not be', spec: { ...all, size: null }, filled: all },
    { name: 'no null that may be', spec: { ...all, maybe: null }, filled: { ...all, maybe: null } },
    { name: 'nothing for a null without default', spec: { ...all, plain: null }, filled: all },
    {
      name: 'items',
      spec: { ...all, list: [{}, { bus: 'sata' }, null] },
      filled: { ...all, list: [{ bus: 'virtio' }, { bus: 'sata' }, null] },
    },
    {
      name: 'entries of maps',
      spec: { ...all, map: { a: {}, b: null } },
      filled: { ...all, map: { a: { on: true } } },
    },
  ])('fills in $name', ({ spec, filled }) => {
    expect(compileSchema(schema).default(object(spec))).toEqual(object(filled));
  });

  it('fills in a whole object and what is missing in it', () => {
    expect(compileSchema(schema).default({ kind: 'A' })).toEqual({ kind: 'A', spec: all });
  });

  it('hands back the same object when there is nothing to fill in', () => {
    const given = object({ ...all, list: [{ bus: 'sata' }] });

    expect(compileSchema(schema).default(given)).toBe(given);
  });
});

describe('objects of any shape', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['a'],
        properties: {
          a: { type: 'integer', default: 1, minimum: 0 },
          b: {
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'string', default: 'x' }, c: { type: 'string' } } },
          },
          c: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 3 } } },
          },
          d: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };
  const compiled = compileSchema(schema);

  it('are pruned once and for all', () => {
    fc.assert(
      fc.property(specs(), (spec) => {
        const { object: pruned } = compiled.prune(object(spec));

        expect(compiled.prune(pruned)).toEqual({ object: pruned, unknownFields: [] });
        expect(compiled.prune(pruned).object).toBe(pruned);
      }),
    );
  });

  it('get their defaults once and for all', () => {
    fc.assert(
      fc.property(specs(), (spec) => {
        const filled = compiled.default(object(spec));

        expect(compiled.default(filled)).toBe(filled);
      }),
    );
  });

  it('stay valid when they are pruned and get their defaults', () => {
    fc.assert(
      fc.property(validSpecs(), (spec) => {
        expect(compiled.validate(compiled.prune(compiled.default(object(spec))).object)).toEqual([]);
      }),
    );
  });

  it('are never changed in place', () => {
    fc.assert(
      fc.property(specs(), (spec) => {
        const given = object(spec);
        const before = structuredClone(given);

        compiled.prune(compiled.default(given));
        compiled.validate(given, { old: given });

        expect(given).toEqual(before);
      }),
    );
  });
});

function object(spec: JsonValue): JsonObject {
  return { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x' }, spec };
}

function specs(): fc.Arbitrary<JsonObject> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, true, 'x', 1, -1, 0.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), tie('value'), { noNullPrototype: true }),
    ),
  }));
  return fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value, { noNullPrototype: true });
}

function validSpecs(): fc.Arbitrary<JsonObject> {
  const anything = specs();
  const optional = { requiredKeys: [] as [], noNullPrototype: true };
  return fc.record(
    {
      a: fc.nat(),
      b: fc.array(fc.record({ a: fc.string(), c: fc.constant('y'), unknown: anything }, optional)),
      c: fc.dictionary(fc.constantFrom('p', 'q'), fc.record({ a: fc.integer(), z: anything }, optional), {
        noNullPrototype: true,
      }),
      d: anything,
      unknown: anything,
    },
    optional,
  );
}
