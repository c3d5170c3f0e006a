import { describe, expect, it } from 'vitest';

import { builtInResources } from './built-in-resources.ts';

const resources = builtInResources();

describe('builtInResources', () => {
  it('serves each kind once in each version', () => {
    const names = resources.map(({ group, version, plural }) => `${group}/${version}/${plural}`);

    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(50);
  });

  it.each([
    { plural: 'pods', group: '', shortNames: ['po'], categories: ['all'], isNamespaced: true, hasStatus: true },
    { plural: 'nodes', group: '', shortNames: ['no'], categories: [], isNamespaced: false, hasStatus: true },
    { plural: 'configmaps', group: '', shortNames: ['cm'], categories: [], isNamespaced: true, hasStatus: false },
    { plural: 'deployments', group: 'apps', shortNames: ['deploy'], categories: ['all'], hasStatus: true },
    { plural: 'customresourcedefinitions', group: 'apiextensions.k8s.io', shortNames: ['crd', 'crds'] },
    { plural: 'leases', group: 'coordination.k8s.io', shortNames: [], isNamespaced: true, hasStatus: false },
  ])('serves $plural as Kubernetes does', ({ plural, group, ...rest }) => {
    expect(resources.find((resource) => resource.plural === plural && resource.group === group)).toMatchObject(rest);
  });

  it('offers the subresources of pods and service accounts', () => {
    expect(subresourcesOf('pods')).toEqual([
      'attach /v1 PodAttachOptions',
      'binding /v1 Binding',
      'ephemeralcontainers /v1 Pod',
      'eviction policy/v1 Eviction',
      'exec /v1 PodExecOptions',
      'log /v1 Pod',
      'portforward /v1 PodPortForwardOptions',
    ]);
    expect(subresourcesOf('serviceaccounts')).toEqual(['token authentication.k8s.io/v1 TokenRequest']);
  });

  it('scales what has replicas', () => {
    const scaled = resources.filter((resource) => resource.scale !== undefined).map(({ plural }) => plural);

    expect(scaled.toSorted()).toEqual(['deployments', 'replicasets', 'replicationcontrollers', 'statefulsets']);
  });

  it('describes lists so that patches and applies can merge them', () => {
    const pod = resources.find(({ kind }) => kind === 'Pod');
    const containers = pod?.schema.properties?.['spec']?.properties?.['containers'];

    expect(containers).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(containers?.items?.properties?.['ports']).toMatchObject({
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-merge-key': 'containerPort',
      items: { properties: { protocol: { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] } } },
    });
  });

  it.each(resources.map((resource) => ({ name: `${resource.group}/${resource.version} ${resource.kind}`, resource })))(
    'has a whole schema, columns that print, and steady defaults for $name',
    async ({ resource }) => {
      const empty = { apiVersion: 'v1', kind: resource.kind, metadata: { name: 'a', namespace: 'b' } };

      await resource.load?.();
      const once = resource.strategy.default(empty);

      expect(resource.schema.properties).toHaveProperty('metadata');
      expect(JSON.stringify(resource.schema)).not.toContain('#/components');
      expect(resource.strategy.default(once)).toEqual(once);
      for (const column of resource.columns) {
        expect(column.description).toMatch(/\.$/);
        expect(['string', 'number', 'boolean']).toContain(typeof column.cell(once, new Date(0)));
      }
      for (const read of resource.selectableFields.values()) expect(typeof read(once)).toBe('string');
      expect(Array.isArray(resource.strategy.validate(once))).toBe(true);
      expect(Array.isArray(resource.strategy.validateUpdate(once, once))).toBe(true);
      expect(Array.isArray(resource.strategy.validateStatusUpdate(once, once))).toBe(true);
    },
  );

  it('hands out the same schema each time, so that others can keep what they make of it', () => {
    const [first, second] = [builtInResources(), builtInResources()].map((list) =>
      list.find(({ kind }) => kind === 'Deployment'),
    );

    expect(first?.schema).toBe(second?.schema);
  });
});

function subresourcesOf(plural: string): readonly string[] | undefined {
  return resources
    .find((resource) => resource.plural === plural && resource.group === '')
    ?.otherSubresources.map(({ name, group, version, kind }) => `${name} ${group}/${version} ${kind}`);
}
