import type { JsonObject, JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applyMergePatch } from './apply-merge-patch.ts';

describe('applyMergePatch', () => {
  it.each([
    { object: { a: 'b' }, patch: { a: 'c' }, result: { a: 'c' } },
    { object: { a: 'b' }, patch: { b: 'c' }, result: { a: 'b', b: 'c' } },
    { object: { a: 'b' }, patch: { a: null }, result: {} },
    { object: { a: 'b', b: 'c' }, patch: { a: null }, result: { b: 'c' } },
    { object: { a: ['b'] }, patch: { a: 'c' }, result: { a: 'c' } },
    { object: { a: 'c' }, patch: { a: ['b'] }, result: { a: ['b'] } },
    { object: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, result: { a: { b: 'd' } } },
    { object: { a: [{ b: 'c' }] }, patch: { a: [1] }, result: { a: [1] } },
    { object: { e: null }, patch: { a: 1 }, result: { e: null, a: 1 } },
    { object: {}, patch: { a: { bb: { ccc: null } } }, result: { a: { bb: {} } } },
    { object: {}, patch: { a: [{ b: null }] }, result: { a: [{}] } },
    { object: { a: {} }, patch: { a: [{ b: null }] }, result: { a: [{ b: null }] } },
  ])('makes $result of $object and $patch', ({ object, patch, result }) => {
    expect(applyMergePatch(object as JsonObject, patch as JsonValue)).toEqual(result);
  });

  it.each([
    { patch: null, message: 'Invalid JSON Patch' },
    {
      patch: [],
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      patch: 'x',
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}',
    },
  ])('refuses $patch', ({ patch, message }) => {
    expect(() => applyMergePatch({}, patch)).toThrow(expect.objectContaining({ code: 'malformed', message }));
  });

  it('does not take inherited names for fields', () => {
    expect(applyMergePatch({}, { constructor: { a: 1 }, toString: null })).toEqual({ constructor: { a: 1 } });
  });

  it('leaves the object as it was and shares what did not change', () => {
    const object = { metadata: { name: 'a' }, spec: { a: 1, b: { c: 2n ** 60n } } };

    const patched = applyMergePatch(object, { spec: { a: 2 } });

    expect(object.spec.a).toBe(1);
    expect(patched).toEqual({ metadata: { name: 'a' }, spec: { a: 2, b: { c: 2n ** 60n } } });
    expect(patched['metadata']).toBe(object.metadata);
  });

  it('changes nothing when the same patch comes again', () => {
    fc.assert(
      fc.property(anObject(), anObject(), (object, patch) => {
        const once = applyMergePatch(object, patch);

        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

function anObject(): fc.Arbitrary<JsonObject> {
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(fc.constant(null), fc.integer(), fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'))),
  })).value;
  return fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
}
