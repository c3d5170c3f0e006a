import type { JsonObject, JsonValue } from '@smalt/json';

import type { KindCase } from '@smalt/kind';

export const instancetypeCases: readonly KindCase[] = [
  {
    title: 'needs no more than processors and memory',
    object: object('VirtualMachineInstancetype', { cpu: { guest: 1 }, memory: { guest: '128Mi' } }),
    errors: [],
  },
  {
    title: 'needs both',
    object: object('VirtualMachineInstancetype', { cpu: {} }),
    errors: ['spec.cpu.guest: Required value', 'spec.memory: Required value'],
  },
  {
    title: 'takes no less than nothing of the memory, and no fewer processors',
    object: object('VirtualMachineInstancetype', {
      cpu: { guest: -1 },
      memory: { guest: '1Gi', overcommitPercent: 101 },
    }),
    errors: [
      'spec.cpu.guest: Invalid value: -1: spec.cpu.guest in body should be greater than or equal to 0',
      'spec.memory.overcommitPercent: Invalid value: 101: spec.memory.overcommitPercent in body should be less than or equal to 100',
    ],
  },
];

export const preferenceCases: readonly KindCase[] = [
  { title: 'needs no more than a spec', object: object('VirtualMachinePreference', {}), errors: [] },
  { title: 'needs a spec', object: object('VirtualMachinePreference'), errors: ['spec: Required value'] },
  {
    title: 'needs numbers where it requires something',
    object: object('VirtualMachinePreference', { requirements: { cpu: {}, memory: {} } }),
    errors: ['spec.requirements.cpu.guest: Required value', 'spec.requirements.memory.guest: Required value'],
  },
];

export const policyCases: readonly KindCase[] = [
  { title: 'needs no more than selectors', object: policy({ selectors: {} }), errors: [] },
  { title: 'needs selectors', object: policy({ allowPostCopy: true }), errors: ['spec.selectors: Required value'] },
  {
    title: 'takes labels as texts only, and a downtime that can be',
    object: policy({ selectors: { namespaceSelector: { tier: 1 } }, maxDowntimeMs: 0 }),
    errors: [
      'spec.maxDowntimeMs: Invalid value: 0: spec.maxDowntimeMs in body should be greater than or equal to 1',
      'spec.selectors.namespaceSelector.tier: Invalid value: "integer": spec.selectors.namespaceSelector.tier in body must be of type string: "integer"',
    ],
  },
];

function object(kind: string, spec?: JsonValue): JsonObject {
  const metadata = { name: 'small', namespace: 'default' };
  const head = { apiVersion: 'instancetype.kubevirt.io/v1beta1', kind, metadata };
  return spec === undefined ? head : { ...head, spec };
}

function policy(spec: JsonValue): JsonObject {
  const head = { apiVersion: 'migrations.kubevirt.io/v1alpha1', kind: 'MigrationPolicy', metadata: { name: 'fast' } };
  return { ...head, spec };
}
