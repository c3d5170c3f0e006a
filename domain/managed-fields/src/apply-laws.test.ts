import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applyConfiguration } from './apply-configuration.ts';
import type { Endpoint } from './endpoint.ts';

const FIRST = new Date('2026-01-01T10:00:00Z');
const LATER = new Date('2026-01-02T10:00:00Z');

describe('applyConfiguration, whatever is applied', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(specs(), specs(), (first, second) => {
        const live = apply(apply(undefined, first, 'one'), second, 'two', { force: true });

        expect(apply(live, second, 'two', { now: LATER })).toEqual(live);
      }),
    );
  });

  it('leaves nothing of an applier who applies nothing any more', () => {
    fc.assert(
      fc.property(specs(), (spec) => {
        const result = apply(apply(undefined, spec, 'one'), undefined, 'one');

        expect(result).toEqual({ apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' } });
      }),
    );
  });

  it('never lets appliers of different fields conflict', () => {
    fc.assert(
      fc.property(specs(), ({ replicas, labels, ...rest }) => {
        const mine = definedOf({ replicas, labels });

        const live = apply(apply(undefined, mine, 'one'), rest, 'two');

        expect(live['spec'] ?? {}).toEqual({ ...mine, ...rest });
        expect(apply(live, mine, 'one', { now: LATER })).toEqual(live);
      }),
    );
  });

  it('changes neither the live object nor what is applied', () => {
    fc.assert(
      fc.property(specs(), specs(), (first, second) => {
        const live = apply(undefined, first, 'one');
        const text = JSON.stringify([live, second]);

        apply(live, second, 'two', { force: true });

        expect(JSON.stringify([live, second])).toBe(text);
      }),
    );
  });
});

const TEXT: Schema = { type: 'string' };
const SPEC: Schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    paused: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: TEXT },
    args: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'atomic' },
    tags: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
    disks: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: TEXT, size: TEXT } },
    },
  },
};
const MAIN: Endpoint = {
  schema: { type: 'object', properties: { spec: SPEC } },
  apiVersion: 'g/v1',
  kind: 'K',
  subresource: '',
  isBuiltIn: false,
  resetFields: [],
};

function apply(
  live: JsonObject | undefined,
  spec: JsonObject | undefined,
  manager: string,
  { force = false, now = FIRST }: { readonly force?: boolean; readonly now?: Date } = {},
): JsonObject {
  const applied = { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' }, ...(spec !== undefined && { spec }) };
  return applyConfiguration(MAIN, { live, applied, manager, force, now });
}

function definedOf(spec: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

function specs(): fc.Arbitrary<JsonObject> {
  const names = fc.constantFrom('a', 'b', 'c');
  return fc.record(
    {
      replicas: fc.integer({ min: 0, max: 3 }),
      paused: fc.boolean(),
      labels: fc.dictionary(names, names, { minKeys: 1 }),
      args: fc.array(names, { minLength: 1 }),
      tags: fc.uniqueArray(names, { minLength: 1 }),
      disks: fc.uniqueArray(fc.record({ name: names, size: names }), { minLength: 1, selector: ({ name }) => name }),
    },
    { requiredKeys: [] },
  );
}
