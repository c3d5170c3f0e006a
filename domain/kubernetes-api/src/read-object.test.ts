import * as fc from 'fast-check';
import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { messageType } from './catalog.ts';
import { readObject } from './read-object.ts';

describe('readObject', () => {
  it('names unknown fields in the order in which they stand, and drops them', () => {
    const object = {
      metadata: { name: 'web', nickname: 'w' },
      sepc: {},
      spec: {
        containers: [{ name: 'a', imagine: 'b' }],
        constructor: 1,
        volumes: [{ name: 'v', hostPath: { pth: '/' } }],
      },
    };

    const { unknownFields, object: read } = readObject(object, messageType('core', 'Pod'));

    expect(unknownFields).toEqual([
      'metadata.nickname',
      'sepc',
      'spec.containers[0].imagine',
      'spec.constructor',
      'spec.volumes[0].hostPath.pth',
    ]);
    expect(read).toEqual({
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'a', resources: {} }], volumes: [{ name: 'v', hostPath: { path: '' } }] },
      status: {},
    });
  });

  it.each<{ what: string; spec: JsonObject; read: JsonObject }>([
    { what: 'null', spec: { hostname: null, volumes: null }, read: {} },
    { what: 'an empty text', spec: { hostname: '' }, read: {} },
    { what: 'false', spec: { hostNetwork: false }, read: {} },
    { what: 'an empty list', spec: { volumes: [] }, read: {} },
    { what: 'a pointer to nothing', spec: { priority: 0, hostUsers: false }, read: { priority: 0, hostUsers: false } },
    { what: 'a pointer to an empty message', spec: { affinity: {} }, read: { affinity: {} } },
  ])('shows $what as Kubernetes does', ({ spec, read }) => {
    const result = readObject({ spec: { containers: [], ...spec } }, messageType('core', 'Pod')).object;

    expect(result['spec']).toEqual({ containers: [], ...read });
  });

  it('shows required lists that are not there as null', () => {
    expect(readObject({ metadata: { name: 'r' } }, messageType('rbac', 'Role')).object).toEqual({
      metadata: { name: 'r' },
      rules: null,
    });
  });

  it('takes nothing in a map of bytes for no bytes', () => {
    const { object } = readObject({ data: { a: null, b: 'eA==' } }, messageType('core', 'Secret'));

    expect(object['data']).toEqual({ a: '', b: 'eA==' });
  });

  it.each([
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05Z'],
    ['2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05Z'],
  ])('shows the time %s as %s', (given, shown) => {
    const { object } = readObject({ creationTimestamp: given }, messageType('meta', 'ObjectMeta'));

    expect(object).toEqual({ creationTimestamp: shown });
  });

  it.each([
    ['1024Mi', '1Gi'],
    ['0.5', '500m'],
    [2, '2'],
    ['', '0'],
  ])('shows the quantity %s as %s', (given, shown) => {
    const { object } = readObject({ hard: { memory: given } }, messageType('core', 'ResourceQuotaSpec'));

    expect(object).toEqual({ hard: { memory: shown } });
  });

  it('reads schemas inside of schemas', () => {
    const schema = {
      properties: { a: { items: { type: 'string', typo: 1 }, additionalProperties: false } },
      dependencies: { a: ['b'], c: { type: 'object' } },
    };

    const { object, unknownFields } = readObject(schema, messageType('apiextensions', 'JSONSchemaProps'));

    expect(unknownFields).toEqual(['properties.a.items.typo']);
    expect(object).toEqual({
      properties: { a: { items: { type: 'string' }, additionalProperties: false } },
      dependencies: { a: ['b'], c: { type: 'object' } },
    });
  });

  it('gives back the object itself when there is nothing to do', () => {
    const object = { metadata: { name: 'a' }, data: { key: 'value' } };

    expect(readObject(object, messageType('core', 'ConfigMap')).object).toBe(object);
  });

  it('changes nothing when it reads what it has read', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('name', 'labels', 'generation', 'other'), fc.constantFrom(null, {}, 0)),
        (metadata) => {
          const usable =
            metadata['name'] === null || metadata['name'] === undefined ? metadata : { ...metadata, name: 'n' };
          const numbered = usable['generation'] === undefined ? usable : { ...usable, generation: 3 };
          const labelled = numbered['labels'] === 0 ? { ...numbered, labels: { a: 'b' } } : numbered;
          const first = readObject({ metadata: labelled }, messageType('core', 'Pod')).object;

          expect(readObject(first, messageType('core', 'Pod'))).toEqual({ object: first, unknownFields: [] });
        },
      ),
    );
  });

  it('does not change what it was given', () => {
    const object = Object.freeze({ metadata: Object.freeze({ name: '', extra: 1 }), spec: Object.freeze({}) });

    readObject(object, messageType('core', 'Pod'));

    expect(object).toEqual({ metadata: { name: '', extra: 1 }, spec: {} });
  });
});
