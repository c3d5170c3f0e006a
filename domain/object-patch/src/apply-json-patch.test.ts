import { readFileSync } from 'node:fs';

import type { JsonObject, JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applyJsonPatch, findUnknownPatchFields, MAX_JSON_PATCH_OPERATIONS } from './apply-json-patch.ts';
import { isMalformedPatch, isUnprocessablePatch, ObjectPatchError } from './object-patch-error.ts';

interface Recorded {
  readonly object: JsonObject;
  readonly patch: JsonValue;
  readonly error?: true;
  readonly result?: JsonObject;
}

const recorded = JSON.parse(readFileSync(new URL('../fixtures/json-patch.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Recorded[];
};

describe('applyJsonPatch', () => {
  it.each(recorded.cases.map((entry, at) => ({ ...entry, at })))(
    'does what the library of Kubernetes did in recorded case $at',
    ({ object, patch, error, result }) => {
      expect(outcomeOf(object, patch)).toEqual(error === true ? 'refused' : result);
    },
  );

  it.each([
    { what: 'a remove of what is not there', patch: [{ op: 'remove', path: '/spec/none' }] },
    { what: 'an add below what is not there', patch: [{ op: 'add', path: '/none/a', value: 1 }] },
    { what: 'a replace below what is not there', patch: [{ op: 'replace', path: '/none/a', value: 1 }] },
    { what: 'a test of another value', patch: [{ op: 'test', path: '/spec/replicas', value: 2 }] },
    { what: 'an index beyond the end', patch: [{ op: 'add', path: '/spec/list/3', value: 'x' }] },
    { what: 'an operation without a path', patch: [{ op: 'add', value: 1 }] },
    { what: 'an unknown operation', patch: [{ op: 'invent', path: '/a' }] },
    { what: 'a result that is no object', patch: [{ op: 'replace', path: '', value: [] }] },
    { what: 'the name that objects give a meaning', patch: [{ op: 'add', path: '/__proto__', value: {} }] },
  ])('answers $what with the text of Kubernetes', ({ patch }) => {
    const error = failureOf(() => applyJsonPatch(anObject(), patch));

    expect(isUnprocessablePatch(error)).toBe(true);
    expect(error.message).toBe('the server rejected our request due to an error in our request');
  });

  it('says what a test expected where people look for it', () => {
    const error = failureOf(() => applyJsonPatch(anObject(), [{ op: 'test', path: '/spec/replicas', value: 2 }]));

    expect(error.detail).toBe('testing value /spec/replicas failed: test failed');
  });

  it.each([
    {
      patch: {},
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    },
    {
      patch: ['x'],
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
    },
    {
      patch: [{ op: 'add', path: 1 }],
      message:
        'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    },
  ])('refuses what is no patch: $patch', ({ patch, message }) => {
    const error = failureOf(() => applyJsonPatch(anObject(), patch));

    expect(isMalformedPatch(error)).toBe(true);
    expect(error.message).toBe(message);
  });

  it('refuses more operations than Kubernetes allows', () => {
    const patch = Array.from({ length: MAX_JSON_PATCH_OPERATIONS + 1 }, () => ({
      op: 'test',
      path: '/spec/replicas',
      value: 1,
    }));

    expect(failureOf(() => applyJsonPatch(anObject(), patch))).toMatchObject({
      code: 'too-large',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    expect(applyJsonPatch(anObject(), patch.slice(1))).toEqual(anObject());
  });

  it('stops copies of copies before they fill the memory', () => {
    const start = { op: 'add', path: '/a', value: ['x'.repeat(1000)] };
    const double = { op: 'copy', from: '/a', path: '/a/-' };

    const error = failureOf(() => applyJsonPatch({}, [start, ...Array.from({ length: 30 }, () => double)]));

    expect(error.detail).toMatch(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
  });

  it('changes the copy and not what it was copied from', () => {
    const patched = applyJsonPatch({ a: { b: [1] } }, [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/b/-', value: 2 },
      { op: 'replace', path: '/a/b/0', value: 3 },
    ]);

    expect(patched).toEqual({ a: { b: [3] }, c: { b: [1, 2] } });
  });

  it('leaves the object as it was, shares what did not change, and keeps large integers', () => {
    const object = anObject();

    const patched = applyJsonPatch(object, [{ op: 'replace', path: '/spec/replicas', value: 2n ** 60n }]);

    expect(object).toEqual(anObject());
    expect(patched['metadata']).toBe(object['metadata']);
    expect(patched['spec']).toEqual({ replicas: 2n ** 60n, list: ['a', 'b'] });
  });

  it('undoes an added field by removing it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (fields, name, value) => {
        fc.pre(name !== '__proto__' && !Object.hasOwn(fields, '__proto__') && !Object.hasOwn(fields, name));
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const object = { ...fields } as JsonObject;

        const added = applyJsonPatch(object, [{ op: 'add', path, value: value as JsonValue }]);

        expect(added).toEqual({ ...object, [name]: value });
        expect(applyJsonPatch(added, [{ op: 'remove', path }])).toEqual(object);
      }),
    );
  });
});

describe('findUnknownPatchFields', () => {
  it('names the fields that no operation has', () => {
    const patch = [
      { op: 'test', path: '/a', value: 1 },
      { op: 'remove', path: '/a', extra: 1 },
    ];

    expect(findUnknownPatchFields(patch)).toEqual(['json patch unknown field "[1].extra"']);
  });
});

function anObject(): JsonObject {
  return { metadata: { name: 'a' }, spec: { replicas: 1, list: ['a', 'b'] } };
}

function outcomeOf(object: JsonObject, patch: JsonValue): JsonObject | 'refused' {
  try {
    return applyJsonPatch(object, patch);
  } catch (error) {
    if (error instanceof ObjectPatchError) return 'refused';
    throw error;
  }
}

function failureOf(run: () => unknown): ObjectPatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof ObjectPatchError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
