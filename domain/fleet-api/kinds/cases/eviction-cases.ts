import type { JsonObject, JsonValue } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

export const evictionCases: readonly KindCase[] = [
  {
    title: 'is accepted with a hypervisor and a reason',
    object: eviction({ hypervisor: 'node1', reason: 'disks' }),
    errors: [],
  },
  { title: 'is accepted without a spec, as it always was', object: eviction(), errors: [] },
  {
    title: 'needs a hypervisor in its spec',
    object: eviction({ reason: 'disks' }),
    errors: ['spec.hypervisor: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'needs a reason in its spec',
    object: eviction({ hypervisor: 'node1' }),
    errors: ['spec.reason: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'needs a hypervisor with a name',
    object: eviction({ hypervisor: '', reason: 'disks' }),
    errors: ['spec.hypervisor: Invalid value: "": spec.hypervisor in body should be at least 1 chars long'],
  },
  {
    title: 'needs a reason with words',
    object: eviction({ hypervisor: 'node1', reason: '' }),
    errors: ['spec.reason: Invalid value: "": spec.reason in body should be at least 1 chars long'],
  },
  {
    title: 'names everything that is missing',
    object: eviction({}),
    errors: ['spec.hypervisor: Required value', 'spec.reason: Required value', RULES_NOT_CHECKED],
  },
  { title: 'takes a spec that is null for none', object: eviction(null), errors: [] },
  {
    title: 'may get another reason',
    old: eviction({ hypervisor: 'node1', reason: 'disks' }),
    object: eviction({ hypervisor: 'node1', reason: 'memory' }),
    errors: [],
  },
  {
    title: 'may not get another hypervisor',
    old: eviction({ hypervisor: 'node1', reason: 'disks' }),
    object: eviction({ hypervisor: 'node2', reason: 'disks' }),
    errors: ['spec.hypervisor: Invalid value: "node2": Value is immutable'],
  },
  {
    title: 'may not lose its spec, for then it could get another hypervisor',
    old: eviction({ hypervisor: 'node1', reason: 'disks' }),
    object: eviction(),
    errors: ['spec: Invalid value: spec may not be removed'],
  },
  { title: 'may stay without a spec', old: eviction(), object: eviction(), errors: [] },
  {
    title: 'may get the spec that it lacks',
    old: eviction(),
    object: eviction({ hypervisor: 'node1', reason: 'disks' }),
    errors: [],
  },
  {
    title: 'reports how far it is',
    old: eviction({ hypervisor: 'node1', reason: 'disks' }),
    object: {
      ...eviction({ hypervisor: 'node1', reason: 'disks' }),
      status: { outstandingInstances: ['a', 'b'], outstandingRamMb: 4096, hypervisorServiceId: 'c' },
    },
    isStatus: true,
    errors: [],
  },
  {
    title: 'reports whole MiB only',
    old: eviction({ hypervisor: 'node1', reason: 'disks' }),
    object: { ...eviction({ hypervisor: 'node1', reason: 'disks' }), status: { outstandingRamMb: 1.5 } },
    isStatus: true,
    errors: [
      'status.outstandingRamMb: Invalid value: "float64": outstandingRamMb in body must be of type int64: "float64"',
      'status: Invalid value: "": Checked value must be of type integer with format int64 in outstandingRamMb',
      RULES_NOT_CHECKED,
    ],
  },
];

function eviction(spec?: JsonValue): JsonObject {
  const head = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Eviction', metadata: { name: 'evict-node1' } };
  return spec === undefined ? head : { ...head, spec };
}
