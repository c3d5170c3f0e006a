import type { JsonObject } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { crdResource, crdResources, StructuralSchemaError } from './index.ts';

describe('crdResource', () => {
  it('takes names, scope and subresources from the definition', () => {
    const resource = crdResource(definition(), 'v1');

    expect(resource).toMatchObject({
      group: 'example.dev',
      version: 'v1',
      kind: 'Machine',
      listKind: 'MachineList',
      plural: 'machines',
      singular: 'machine',
      shortNames: ['mc'],
      categories: ['all'],
      isNamespaced: true,
      isBuiltIn: false,
      hasStatus: true,
      scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
    });
  });

  it('refuses a version that is not there', () => {
    expect(() => crdResource(definition(), 'v2')).toThrow(
      new StructuralSchemaError('no-such-version', 'machines.example.dev has no version v2'),
    );
  });

  it('shows the columns of the definition', () => {
    const { columns } = crdResource(definition(), 'v1');

    expect(columns.map((column) => [column.name, column.priority, column.cell(machine(), new Date(0))])).toEqual([
      ['CPUs', 0, 4],
      ['Host', 1, 'hv-1'],
    ]);
  });

  it('shows the age when the definition has no columns', () => {
    const resource = crdResource(definition({ additionalPrinterColumns: [] }), 'v1');

    expect(resource.columns).toMatchObject([{ name: 'Age', type: 'date', priority: 0 }]);
  });

  it('shows the columns before one whose path cannot be read', () => {
    const additionalPrinterColumns = [
      { name: 'A', type: 'string', jsonPath: '.a' },
      { name: 'B', type: 'string', jsonPath: '.b[' },
    ];

    expect(crdResource(definition({ additionalPrinterColumns }), 'v1').columns).toMatchObject([{ name: 'A' }]);
  });

  it('selects by the fields of the definition', () => {
    const { selectableFields } = crdResource(definition(), 'v1');

    expect([...selectableFields].map(([name, read]) => [name, read(machine()), read({})])).toEqual([
      ['spec.host', 'hv-1', ''],
      ['spec.cpus', '4', ''],
    ]);
  });

  it('publishes a schema with what all objects have', () => {
    const { schema } = crdResource(definition(), 'v1');

    expect(Object.keys(schema.properties ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
    expect(schema.properties?.['metadata']?.properties?.['finalizers']).toMatchObject({
      'x-kubernetes-list-type': 'set',
    });
    expect(schema['x-kubernetes-group-version-kind']).toEqual([
      { group: 'example.dev', version: 'v1', kind: 'Machine' },
    ]);
  });
});

describe('the strategy of custom resources', () => {
  const { strategy } = crdResource(definition(), 'v1');

  it('drops the status of new objects', () => {
    expect(strategy.prepareForCreate({ ...machine(), status: { replicas: 1 } })).toEqual(machine());
  });

  it('keeps the status that is stored', () => {
    const old = { ...machine(), status: { replicas: 1 } };

    expect(strategy.prepareForUpdate({ ...machine(), status: { replicas: 2 } }, old)).toEqual(old);
    expect(strategy.prepareForUpdate(old, machine())).toEqual(machine());
  });

  it.each<{ object: JsonObject; errors: readonly string[] }>([
    { object: machine(), errors: [] },
    { object: { ...machine(), kind: 'Other' }, errors: ['kind: Invalid value: "Other": must be Machine'] },
    {
      object: { ...machine(), apiVersion: 'example.dev/v2' },
      errors: ['apiVersion: Invalid value: "example.dev/v2": must be example.dev/v1'],
    },
    {
      object: { ...machine(), metadata: { name: 'a', namespace: 'b', labels: { x: 1 } } },
      errors: [
        'metadata: Invalid value: {"labels":{"x":1},"name":"a","namespace":"b"}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      ],
    },
    {
      object: { ...machine(), metadata: { name: 'a' }, spec: { cpus: 0, replicas: -1 } },
      errors: [
        'metadata.namespace: Required value',
        'spec.cpus: Invalid value: 0: spec.cpus in body should be greater than or equal to 1',
        '.spec.replicas: Invalid value: -1: should be a non-negative integer',
      ],
    },
  ])('finds $errors in a new object', ({ object, errors }) => {
    expect(strategy.validate(object).map(formatFieldError)).toEqual(errors);
  });

  it('validates what replaces another object, and lets pass what did not change', () => {
    const old = { ...stored(), spec: { cpus: 0 } };

    expect(strategy.validateUpdate({ ...old, spec: { cpus: 0, host: 'hv-2' } }, old)).toEqual([]);
    expect(strategy.validateUpdate({ ...stored('b'), spec: { cpus: -1 } }, old).map(formatFieldError)).toEqual([
      'metadata.name: Invalid value: "b": field is immutable',
      'spec.cpus: Invalid value: -1: spec.cpus in body should be greater than or equal to 1',
    ]);
  });

  it('validates only the status when only that is written', () => {
    const object = { ...stored(), spec: { cpus: 0 }, status: { replicas: 'x' } };

    expect(strategy.validateStatusUpdate(object, stored()).map(formatFieldError)).toEqual([
      'status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
      '.status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected int64',
    ]);
  });

  it('warns of finalizers that others could have, too', () => {
    const finalizers = ['plain', 'a.b', 'example.dev/x', 'orphan'];

    expect(strategy.warnings({ metadata: { finalizers } })).toEqual([
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe('crdResources', () => {
  it('makes all versions, served or not, each of which finds the others and knows which one is stored', () => {
    const v1 = versionOf(definition());
    const versions = [
      { ...v1, served: false },
      { ...v1, name: 'v2', storage: true },
    ];

    const made = crdResources(withVersions(versions));

    const [first, second] = [...made.values()];
    expect([...made.keys()]).toEqual(['v1', 'v2']);
    for (const resource of [first, second]) {
      expect(resource?.versions?.stored).toBe('example.dev/v2');
      expect([...(resource?.versions?.all ?? [])]).toEqual([
        ['example.dev/v1', first],
        ['example.dev/v2', second],
      ]);
    }
  });

  it('says nothing of other versions where there is one', () => {
    const [resource] = crdResources(withVersions([{ ...versionOf(definition()), storage: true }])).values();

    expect(resource).not.toHaveProperty('versions');
  });
});

function versionOf({ spec }: JsonObject): JsonObject {
  const { versions } = Object(spec);
  return Object(versions[0]);
}

function withVersions(versions: readonly JsonObject[]): JsonObject {
  const { spec, ...rest } = definition();
  return { ...rest, spec: { ...Object(spec), versions } };
}

function definition(version: JsonObject = {}): JsonObject {
  const replicas = { type: 'integer' };
  const spec = { cpus: { type: 'integer', minimum: 1 }, host: { type: 'string' }, replicas };
  return {
    metadata: { name: 'machines.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { plural: 'machines', kind: 'Machine', shortNames: ['mc'], categories: ['all'] },
      versions: [
        {
          name: 'v1',
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [
            { name: 'CPUs', type: 'integer', jsonPath: '.spec.cpus' },
            { name: 'Host', type: 'string', jsonPath: '.spec.host', priority: 1 },
          ],
          selectableFields: [{ jsonPath: '.spec.host' }, { jsonPath: '.spec.cpus' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: spec },
                status: { type: 'object', properties: { replicas } },
              },
            },
          },
          ...version,
        },
      ],
    },
  };
}

function machine(): JsonObject {
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Machine',
    metadata: { name: 'a', namespace: 'b' },
    spec: { cpus: 4, host: 'hv-1' },
  };
}

function stored(name = 'a'): JsonObject {
  return { ...machine(), metadata: { name, namespace: 'b', uid: 'u', resourceVersion: '1' } };
}
