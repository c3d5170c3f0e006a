import { resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { DANGEROUS_RIGHTS } from './dangerous-rights.ts';
import { dangerousRights, wildcardRights } from './forbidden-rights.ts';
import { grantedRights, type Right } from './granted-rights.ts';
import { readChartRights } from './read-chart-rights.ts';

let rights: readonly Right[];

beforeAll(async () => {
  rights = grantedRights(await readChartRights(resolve(import.meta.dirname, '../..')));
});

describe('the accounts of the chart', () => {
  it('are all looked at', () => {
    expect([...new Set(rights.map(({ account }) => account))].toSorted()).toEqual([
      'smalt-certificates',
      'smalt-console',
      'smalt-ha-service',
      'smalt-hypervisor-operator',
      'smalt-node-agent',
      'smalt-ovs-agent',
      'smalt-pod-runner',
      'smalt-scheduler',
      'smalt-virt-api',
      'smalt-virt-controller',
      'smalt-virt-handler',
    ]);
    expect(rights.length).toBeGreaterThan(200);
  });

  it('have no right to everything of anything', () => {
    expect(wildcardRights(rights)).toEqual([]);
  });

  it('read no secrets but those they can name and take nobody’s rights, but for what a table has a reason for', () => {
    const known = DANGEROUS_RIGHTS.map(({ right }) => right);

    expect(dangerousRights(rights).toSorted()).toEqual(known.toSorted());
    expect(DANGEROUS_RIGHTS.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

describe('dangerousRights', () => {
  it.each([
    { verb: 'list', resource: 'secrets' },
    { verb: 'watch', resource: 'secrets' },
    { verb: 'list', resource: 'secrets', namespace: 'smalt-libvirt' },
    { verb: 'create', resource: 'secrets', namespace: 'smalt-system' },
    { verb: 'create', resource: 'pods' },
    { verb: 'patch', resource: 'pods', namespace: 'smalt-system' },
    { verb: 'create', resource: 'cronjobs', group: 'batch', namespace: 'smalt-system' },
    { verb: 'update', resource: 'daemonsets', group: 'apps' },
    { verb: 'patch', resource: 'apiservices', group: 'apiregistration.k8s.io', name: 'v1.x' },
    { verb: 'bind', resource: 'clusterroles', group: 'rbac.authorization.k8s.io' },
    { verb: 'escalate', resource: 'roles', group: 'rbac.authorization.k8s.io' },
    { verb: 'create', resource: 'rolebindings', group: 'rbac.authorization.k8s.io' },
    { verb: 'impersonate', resource: 'users' },
    { verb: 'create', resource: 'serviceaccounts/token' },
    { verb: 'create', resource: 'pods/exec' },
    { verb: 'get', resource: 'nodes/proxy' },
    { verb: 'patch', resource: 'validatingadmissionpolicies', group: 'admissionregistration.k8s.io' },
  ])('names $verb $resource', (given) => {
    expect(dangerousRights([rightOf(given)])).toHaveLength(1);
  });

  it.each([
    { verb: 'get', resource: 'secrets', name: 'own' },
    { verb: 'update', resource: 'secrets', name: 'own' },
    { verb: 'list', resource: 'pods' },
    { verb: 'delete', resource: 'pods' },
    { verb: 'patch', resource: 'pods/status' },
    { verb: 'get', resource: 'clusterroles', group: 'rbac.authorization.k8s.io' },
  ])('has nothing against $verb $resource', (given) => {
    expect(dangerousRights([rightOf(given)])).toEqual([]);
  });
});

it.each([{ verb: '*' }, { group: '*' }, { resource: '*' }, { resource: 'pods/*' }])(
  'wildcardRights names %o',
  (given) => {
    expect(wildcardRights([rightOf(given)])).toHaveLength(1);
  },
);

function rightOf(given: Partial<Right>): Right {
  return { account: 'a', verb: 'get', group: '', resource: 'pods', name: '', namespace: '', ...given };
}
