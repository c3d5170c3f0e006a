import type { Resource } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { Discovery } from './serve-discovery.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

describe('Discovery', () => {
  it('lists groups in the order of Kubernetes, and versions with the preferred one first', () => {
    const discovery = discoveryOf(
      resource({ group: 'zoo.example.dev' }),
      resource({ group: 'autoscaling', version: 'v1' }),
      resource({ group: 'autoscaling', version: 'v2' }),
      resource({ group: 'apps' }),
      resource({ group: 'apiregistration.k8s.io' }),
      resource({ group: 'bench.example.dev', version: 'v1beta2' }),
      resource({ group: 'bench.example.dev', version: 'v1' }),
      resource({ group: 'bench.example.dev', version: 'v11alpha1' }),
      resource({ group: '' }),
    );

    const groups = read(discovery, '/apis')['groups'];

    expect(groups).toMatchObject([
      { name: 'apiregistration.k8s.io' },
      { name: 'apps' },
      { name: 'autoscaling', preferredVersion: { version: 'v2' }, versions: [{ version: 'v2' }, { version: 'v1' }] },
      { name: 'bench.example.dev', versions: [{ version: 'v1' }, { version: 'v1beta2' }, { version: 'v11alpha1' }] },
      { name: 'zoo.example.dev' },
    ]);
  });

  it('lists resources with their subresources', () => {
    const discovery = discoveryOf(
      resource({
        hasStatus: true,
        scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
        shortNames: ['mc'],
        categories: ['all'],
      }),
    );

    expect(read(discovery, '/apis/bench.example.dev/v1')).toMatchObject({
      kind: 'APIResourceList',
      groupVersion: 'bench.example.dev/v1',
      resources: [
        {
          name: 'machines',
          singularName: 'machine',
          namespaced: true,
          kind: 'Machine',
          shortNames: ['mc'],
          categories: ['all'],
        },
        {
          name: 'machines/scale',
          kind: 'Scale',
          group: 'autoscaling',
          version: 'v1',
          verbs: ['get', 'patch', 'update'],
        },
        { name: 'machines/status', kind: 'Machine', verbs: ['get', 'patch', 'update'] },
      ],
    });
  });

  it('answers all at once, without the core group, to who asks for that', () => {
    const discovery = discoveryOf(resource({ hasStatus: true }), resource({ group: '', plural: 'pods', kind: 'Pod' }));

    const answer = discovery.answer('/apis', AGGREGATED);

    expect(answer).toMatchObject({
      contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      etag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
    });
    expect(JSON.parse(String(answer?.body))).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: [
        {
          metadata: { name: 'bench.example.dev' },
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: [
                {
                  resource: 'machines',
                  responseKind: { group: 'bench.example.dev', version: 'v1', kind: 'Machine' },
                  scope: 'Namespaced',
                  subresources: [{ subresource: 'status' }],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('tells of a new resource as soon as it is told of it', () => {
    const resources = [resource({ group: 'a.example.dev' })];
    const discovery = new Discovery(
      () => resources,
      () => '127.0.0.1:1',
    );
    const before = discovery.answer('/apis', AGGREGATED)?.etag;

    resources.push(resource({ group: 'b.example.dev' }));
    discovery.invalidate();

    expect(discovery.answer('/apis', AGGREGATED)?.etag).not.toBe(before);
    expect(read(discovery, '/apis/b.example.dev')).toMatchObject({ kind: 'APIGroup', name: 'b.example.dev' });
  });

  it.each(['/apis/nope', '/apis/bench.example.dev/v9', '/api/v9', '/apis/bench.example.dev/v1/machines/x'])(
    'has nothing at %s',
    (path) => {
      expect(discoveryOf(resource({})).answer(path, undefined)).toBeUndefined();
    },
  );

  it('refuses a type that it does not have', () => {
    expect(() => discoveryOf(resource({})).answer('/apis', 'text/html')).toThrow(
      'only the following media types are accepted',
    );
  });
});

function discoveryOf(...resources: readonly Resource[]): Discovery {
  return new Discovery(
    () => resources,
    () => '127.0.0.1:6443',
  );
}

function read(discovery: Discovery, path: string): Record<string, unknown> {
  return JSON.parse(String(discovery.answer(path, 'application/json')?.body)) as Record<string, unknown>;
}

function resource(changes: Partial<Resource>): Resource {
  return {
    group: 'bench.example.dev',
    version: 'v1',
    kind: 'Machine',
    listKind: 'MachineList',
    plural: 'machines',
    singular: 'machine',
    shortNames: [],
    categories: [],
    isNamespaced: true,
    verbs: ['get', 'list'],
    isBuiltIn: false,
    schema: {},
    columns: [],
    selectableFields: new Map(),
    hasStatus: false,
    otherSubresources: [],
    strategy: {
      default: (object) => object,
      prune: (object) => ({ object, unknownFields: [] }),
      prepareForCreate: (object) => object,
      prepareForUpdate: (object) => object,
      validate: () => [],
      validateUpdate: () => [],
      validateStatusUpdate: () => [],
      warnings: () => [],
    },
    ...changes,
  };
}
