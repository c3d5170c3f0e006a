import { virtualMachineKind } from '@smalt/vm-api';
import { hypervisorKind } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { isOfKind, queryKey, queryOf } from './follow-query.ts';

it.each([
  { scope: {}, path: '/apis/kubevirt.io/v1/virtualmachines' },
  { scope: { namespace: '' }, path: '/apis/kubevirt.io/v1/virtualmachines' },
  { scope: { namespace: 'shop' }, path: '/apis/kubevirt.io/v1/namespaces/shop/virtualmachines' },
])('leads to $path', ({ scope, path }) => {
  expect(queryOf(virtualMachineKind, scope)).toEqual({ path });
});

it('leaves the namespace out for kinds that have none', () => {
  expect(queryOf(hypervisorKind, { namespace: 'shop' }).path).toBe('/apis/kvm.cloud.sap/v1/hypervisors');
});

it('tells queries with other selectors apart', () => {
  const keys = [{}, { labelSelector: 'a=b' }, { fieldSelector: 'a=b' }].map((scope) =>
    queryKey(queryOf(virtualMachineKind, scope)),
  );

  expect(new Set(keys).size).toBe(3);
});

it('takes objects of lists, which do not say their kind', () => {
  const named = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
  const { kind: _, ...unnamed } = named;

  expect(isOfKind(virtualMachineKind, named)).toBe(false);
  expect(isOfKind(virtualMachineKind, unnamed as typeof named)).toBe(true);
});
