import { readFileSync } from 'node:fs';

import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';
import { ObjectPatchError } from './object-patch-error.ts';

interface Recorded {
  readonly object: JsonObject;
  readonly patch: JsonObject;
  readonly error?: string;
  readonly result?: JsonObject;
}

const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/strategic-merge-patch.json', import.meta.url), 'utf8'),
) as {
  readonly schema: Schema;
  readonly cases: readonly Recorded[];
};

describe('applyStrategicMergePatch', () => {
  it.each(recorded.cases.map((entry, at) => ({ ...entry, at })))(
    'does what the library of Kubernetes did in recorded case $at',
    ({ object, patch, error, result }) => {
      // The library leaves nulls in, which its server drops when it decodes the result.
      expect(outcomeOf(object, patch, recorded.schema)).toEqual(error ?? withoutNulls(result));
    },
  );

  it('merges lists by their key, in the order that both lists allow', () => {
    const object = pod([container('a', '1'), container('b', '1')]);

    const patched = applyStrategicMergePatch(object, pod([container('b', '2'), container('c', '1')]), POD);

    expect(patched).toEqual(pod([container('a', '1'), container('b', '2'), container('c', '1')]));
  });

  it.each([
    {
      what: '$patch: delete takes an item out',
      object: pod([container('a', '1'), container('b', '1')]),
      patch: { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
      result: pod([container('b', '1')]),
    },
    {
      what: '$patch: replace takes the list as it is',
      object: pod([container('a', '1'), container('b', '1')]),
      patch: { spec: { containers: [container('c', '1'), { $patch: 'replace' }] } },
      result: pod([container('c', '1')]),
    },
    {
      what: '$patch: replace takes the object as it is',
      object: { spec: { nodeSelector: { a: '1', b: '2' } } },
      patch: { spec: { nodeSelector: { $patch: 'replace', c: '3' } } },
      result: { spec: { nodeSelector: { c: '3' } } },
    },
    {
      what: '$patch: delete empties an object',
      object: { spec: { nodeSelector: { a: '1' } } },
      patch: { spec: { nodeSelector: { $patch: 'delete' } } },
      result: { spec: { nodeSelector: {} } },
    },
    {
      what: '$setElementOrder sets the order',
      object: pod([container('a', '1'), container('b', '1'), container('c', '1')]),
      patch: {
        spec: {
          '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
          containers: [container('c', '2')],
        },
      },
      result: pod([container('c', '2'), container('a', '1'), container('b', '1')]),
    },
    {
      what: '$retainKeys drops the other fields',
      object: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      result: { spec: { strategy: { type: 'Recreate' } } },
    },
    {
      what: 'lists of primitives are merged',
      object: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['b', 'c'] } },
      result: { metadata: { finalizers: ['a', 'b', 'c'] } },
    },
    {
      what: '$deleteFromPrimitiveList takes primitives out',
      object: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['b'] } },
      result: { metadata: { finalizers: ['a', 'c'] } },
    },
    {
      what: 'a list without a strategy is replaced',
      object: { spec: { args: ['a'] } },
      patch: { spec: { args: ['b'] } },
      result: { spec: { args: ['b'] } },
    },
    { what: 'null deletes', object: { spec: { args: ['a'] } }, patch: { spec: { args: null } }, result: { spec: {} } },
    {
      what: 'nulls and directives that meet nothing leave nothing',
      object: {},
      patch: {
        spec: {
          args: null,
          containers: [
            { name: 'a', $patch: 'delete' },
            { name: 'b', image: null },
          ],
        },
      },
      result: { spec: { containers: [{ name: 'b' }] } },
    },
    { what: 'a null patch is no patch', object: { a: 1 }, patch: null, result: { a: 1 } },
  ])('$what', ({ object, patch, result }) => {
    expect(applyStrategicMergePatch(object as JsonObject, patch as JsonValue, POD)).toEqual(result);
  });

  it.each([
    {
      patch: [],
      code: 'malformed',
      message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    { patch: { spec: { $retainKeys: 'x' } }, code: 'malformed', message: 'invalid patch format of retainKeys' },
    { patch: { spec: { $retainKeys: [], a: 1 } }, code: 'malformed', message: 'invalid patch format of retainKeys' },
    { patch: { $deleteFromPrimitiveList: [] }, code: 'malformed', message: 'invalid patch format of primitive list' },
    { patch: { $setElementOrder: [] }, code: 'malformed', message: 'invalid patch format of setElementOrder list' },
    { patch: { spec: { $patch: 'x' } }, code: 'failed', message: 'unknown patch type: x in map: map[$patch:x]' },
    {
      patch: { spec: { containers: [{ image: 'x' }] } },
      code: 'failed',
      message: 'map: map[image:x] does not contain declared merge key: name',
    },
    {
      patch: { spec: { containers: [[]] } },
      code: 'failed',
      message: 'list element types are not identical: [[map[image:1 name:a]] [[]]]',
    },
    {
      patch: { spec: { lists: [['b']] } },
      code: 'unprocessable',
      message: 'the server rejected our request due to an error in our request',
    },
  ])('refuses $patch', ({ patch, code, message }) => {
    const object = { spec: { ...containersOf([container('a', '1')]), lists: [['a']] } };

    expect(() => applyStrategicMergePatch(object, patch as JsonValue, POD)).toThrow(
      expect.objectContaining({ code, message }),
    );
  });

  it('leaves the object as it was and shares what did not change', () => {
    const object = pod([container('a', '1')]);

    const patched = applyStrategicMergePatch({ metadata: { name: 'x' }, ...object }, pod([container('a', '2')]), POD);

    expect(object).toEqual(pod([container('a', '1')]));
    expect(patched).toEqual({ metadata: { name: 'x' }, ...pod([container('a', '2')]) });
  });

  it('changes nothing when the same patch comes again', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(names, names, (before, after) => {
        const patch = pod(after.map((name) => container(name, '2')));

        const once = applyStrategicMergePatch(pod(before.map((name) => container(name, '1'))), patch, POD);

        expect(applyStrategicMergePatch(once, patch, POD)).toEqual(once);
      }),
    );
  });
});

const TEXT: Schema = { type: 'string' };
const POD: Schema = {
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      properties: { finalizers: { type: 'array', items: TEXT, 'x-kubernetes-patch-strategy': 'merge' } },
    },
    spec: {
      type: 'object',
      properties: {
        args: { type: 'array', items: TEXT },
        lists: { type: 'array', items: { type: 'array', items: TEXT }, 'x-kubernetes-patch-strategy': 'merge' },
        nodeSelector: { type: 'object', additionalProperties: TEXT },
        strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys' },
        containers: {
          type: 'array',
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'name',
          items: { type: 'object', properties: { name: TEXT, image: TEXT } },
        },
      },
    },
  },
};

function pod(containers: readonly JsonObject[]): JsonObject {
  return { spec: containersOf(containers) };
}

function containersOf(containers: readonly JsonObject[]): JsonObject {
  return { containers };
}

function container(name: string, image: string): JsonObject {
  return { name, image };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}

/** The patched object, or what is wrong with the patch. */
function outcomeOf(object: JsonObject, patch: JsonObject, schema: Schema): JsonObject | string {
  try {
    return applyStrategicMergePatch(object, patch, schema);
  } catch (error) {
    if (error instanceof ObjectPatchError) return error.detail;
    throw error;
  }
}
