import { describe, expect, it } from 'vitest';

import { builtInResources } from './built-in-resources.ts';
import { componentNameOf, metaSchemas, openApiComponents, schemaOf } from './open-api-components.ts';

const versions = [...new Set(builtInResources().map(({ group, version }) => `${group}/${version}`))].map((name) => {
  const [group = '', version = ''] = name.split('/');
  return { group, version };
});

describe('openApiComponents', () => {
  it.each(versions)('refers only to what it holds, in $group/$version', ({ group, version }) => {
    const components = openApiComponents(group, version);

    const references = [...JSON.stringify(components).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );

    expect(references.filter((name) => !Object.hasOwn(components, name))).toEqual([]);
    expect(references.length).toBeGreaterThan(0);
  });

  it('publishes a kind under its name, with its group, version and kind', () => {
    const components = openApiComponents('apps', 'v1');

    expect(components['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      type: 'object',
      properties: {
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
          default: {},
        },
      },
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
    });
    expect(Object.keys(components)).toEqual(
      expect.arrayContaining([
        'io.k8s.api.apps.v1.DeploymentList',
        'io.k8s.api.autoscaling.v1.Scale',
        'io.k8s.api.core.v1.PodSpec',
        'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
        'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
      ]),
    );
  });

  it('publishes nothing but options for a version that is not built in', () => {
    const names = Object.keys(openApiComponents('kubevirt.io', 'v1'));

    expect(names.filter((name) => !name.startsWith('io.k8s.apimachinery.'))).toEqual([]);
  });

  it('ends, though a schema of a schema holds schemas', () => {
    const components = openApiComponents('apiextensions.k8s.io', 'v1');
    const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

    expect(components[name]?.properties?.['not']).toEqual({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
    expect(schemaOf(name)?.properties?.['not']).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true });
  });
});

it('has the schemas that documents of custom kinds need', () => {
  expect(Object.keys(metaSchemas())).toEqual(
    expect.arrayContaining([
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
    ]),
  );
});

it.each([
  { kind: { group: '', version: 'v1', kind: 'Pod' }, name: 'io.k8s.api.core.v1.Pod' },
  { kind: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' }, name: 'io.k8s.api.rbac.v1.Role' },
  { kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' }, name: undefined },
])('publishes $kind.kind as $name', ({ kind, name }) => {
  expect(componentNameOf(kind)).toBe(name);
});

it.each(['io.k8s.api.core.v1.Nothing', 'io.k8s.api.core.v1.constructor', 'Pod'])(
  'knows no schema called %s',
  (name) => {
    expect(schemaOf(name)).toBeUndefined();
  },
);
