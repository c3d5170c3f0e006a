import type { ObservedPod } from '@smalt/vm-lifecycle';
import { expect, it } from 'vitest';

import { instancesOf } from './add-indexes.ts';

const OWNER = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm', uid: 'u1', controller: true };

it.each([
  { what: 'its own', owners: [OWNER], found: ['ours/u1'] },
  { what: 'one that bears the label alone', owners: [], found: [] },
  { what: 'one that it owns but does not control', owners: [{ ...OWNER, controller: false }], found: [] },
  { what: 'that of another kind', owners: [{ ...OWNER, kind: 'VirtualMachine' }], found: [] },
  { what: 'that of another group', owners: [{ ...OWNER, apiVersion: 'example.org/v1' }], found: [] },
])('of all pods an instance is found by $what: $found', ({ owners, found }) => {
  expect(instancesOf(pod('ours', owners))).toEqual(found);
});

it('takes no pod of another namespace for that of an instance', () => {
  expect(instancesOf(pod('theirs', [OWNER]))).toEqual(['theirs/u1']);
});

function pod(namespace: string, ownerReferences: readonly (typeof OWNER)[]): ObservedPod {
  const labels = { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': 'u1' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod', namespace, labels, ownerReferences },
    spec: { containers: [] },
  };
}
