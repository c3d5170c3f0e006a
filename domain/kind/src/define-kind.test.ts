import { describe, expect, it } from 'vitest';

import { defineKind } from './define-kind.ts';
import { integer, shape } from './field-builders.ts';
import type { KindDeclaration } from './kind.ts';

describe('defineKind', () => {
  it('gives the definition that makes a server serve the kind', () => {
    const kind = defineKind(boat({ rules: [{ rule: 'true', message: 'always' }] }));

    expect(kind.crd()).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boats.example.org' },
      spec: {
        group: 'example.org',
        names: { kind: 'Boat', listKind: 'BoatList', plural: 'boats', singular: 'boat', shortNames: ['bt'] },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Crew', type: 'integer', jsonPath: '.spec.crew' }],
            schema: { openAPIV3Schema: kind.schema },
            subresources: { status: {} },
          },
        ],
      },
    });
    expect(kind.schema).toEqual({
      description: 'A boat.',
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string', description: 'The group and version in which the object is written.' },
        kind: { type: 'string', description: 'Always `Boat`.' },
        metadata: { type: 'object' },
        spec: {
          description: 'What it needs.',
          type: 'object',
          required: ['crew'],
          properties: { crew: { description: 'How many.', type: 'integer' } },
        },
      },
      'x-kubernetes-validations': [{ rule: 'true', message: 'always' }],
    });
  });

  it('serves further versions with their warning, and stores the first', () => {
    const kind = defineKind(boat({ versions: [{ name: 'v2' }, { name: 'v1', deprecationWarning: 'old' }] }));

    expect(kind.crd()).toMatchObject({
      spec: {
        versions: [
          { name: 'v2', served: true, storage: true },
          { name: 'v1', served: true, storage: false, deprecated: true, deprecationWarning: 'old' },
        ],
      },
    });
  });

  it('tells of scale, of fields to select by and of categories', () => {
    const scale = { specReplicasPath: '.spec.crew', statusReplicasPath: '.status.crew' };
    const status = shape({ name: 'BoatStatus', description: '', fields: { crew: integer('') } });

    const kind = defineKind(boat({ scale, status, selectableFields: ['.spec.crew'], categories: ['all'] }));

    expect(kind.crd()).toMatchObject({
      spec: {
        names: { categories: ['all'] },
        versions: [{ subresources: { status: {}, scale }, selectableFields: [{ jsonPath: '.spec.crew' }] }],
      },
    });
  });

  it('gives a definition of its own each time', () => {
    const kind = defineKind(boat());

    expect(kind.crd()).not.toBe(kind.crd());
  });

  it.each([
    { what: 'a column', options: { columns: [{ name: 'A', type: 'string', jsonPath: 'spec.a' }] } },
    { what: 'a field to select by', options: { selectableFields: ['spec.a'] } },
  ] as const)('refuses $what with a path that Kubernetes would not take', ({ options }) => {
    expect(() => defineKind(boat(options))).toThrow('Boat: the path spec.a must start with a dot');
  });

  it('refuses a spec that is not structural', () => {
    expect(() => defineKind(boat({ spec: { type: 'null' } }))).toThrow('the type "null" is not allowed');
  });
});

function boat(options: Partial<KindDeclaration> = {}): KindDeclaration {
  return {
    group: 'example.org',
    versions: [{ name: 'v1' }],
    kind: 'Boat',
    plural: 'boats',
    shortNames: ['bt'],
    scope: 'Namespaced',
    description: 'A boat.',
    columns: [{ name: 'Crew', type: 'integer', jsonPath: '.spec.crew' }],
    spec: shape({
      name: 'BoatSpec',
      description: 'What it needs.',
      required: ['crew'],
      fields: { crew: integer('How many.') },
    }),
    required: ['spec'],
    hasStatus: true,
    ...options,
  };
}
