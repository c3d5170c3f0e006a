import type { JsonObject, JsonValue } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

const UUID = '12345678-abcd-ABCD-1234-1234567890ab';

const TERMINATING = "spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'";

/** New Hypervisors. */
export const newHypervisorCases: readonly KindCase[] = [
  { title: 'needs no spec', object: hypervisor(), errors: [] },
  { title: 'needs nothing in its spec', object: hypervisor({}), errors: [] },
  { title: 'may be terminating from the start', object: hypervisor({ maintenance: 'termination' }), errors: [] },
  { title: 'may be in no maintenance', object: hypervisor({ maintenance: '' }), errors: [] },
  { title: 'may be in ha maintenance without a reason', object: hypervisor({ maintenance: 'ha' }), errors: [] },
  {
    title: 'may be in manual maintenance with a reason',
    object: hypervisor({ maintenance: 'manual', maintenanceReason: 'new disks' }),
    errors: [],
  },
  {
    title: 'may not be in manual maintenance without a reason',
    object: hypervisor({ maintenance: 'manual' }),
    errors: ["spec: Invalid value: maintenanceReason must be non-empty when maintenance is 'manual'"],
  },
  {
    title: 'may not be in manual maintenance with an empty reason',
    object: hypervisor({ maintenance: 'manual', maintenanceReason: '' }),
    errors: ["spec: Invalid value: maintenanceReason must be non-empty when maintenance is 'manual'"],
  },
  {
    title: 'knows no other maintenance',
    object: hypervisor({ maintenance: 'sleep' }),
    errors: [
      'spec.maintenance: Unsupported value: "sleep": supported values: "", "manual", "auto", "ha", "termination"',
      RULES_NOT_CHECKED,
    ],
  },
  { title: 'takes ratios of one and more', object: hypervisor({ overcommit: { cpu: 4, memory: 1.5 } }), errors: [] },
  {
    title: 'takes no ratio below one',
    object: hypervisor({ overcommit: { cpu: 0.5 } }),
    errors: ['spec.overcommit: Invalid value: overcommit ratios must be >= 1.0'],
  },
  {
    title: 'takes no ratio as text',
    object: hypervisor({ overcommit: { cpu: '2' } }),
    errors: [
      'spec.overcommit.cpu: Invalid value: "string": spec.overcommit.cpu in body must be of type number: "string"',
      RULES_NOT_CHECKED,
    ],
  },
  { title: 'takes an empty list of groups', object: hypervisor({ groups: [] }), errors: [] },
  {
    title: 'takes traits and aggregates as groups',
    object: hypervisor({
      groups: [
        { trait: { name: 'HW_CPU_X86_AVX2' } },
        { aggregate: { name: 'zone', uuid: UUID, metadata: { availability_zone: 'a' } } },
      ],
    }),
    errors: [],
  },
  {
    title: 'takes no group that is both',
    object: hypervisor({ groups: [{ trait: { name: 'A' }, aggregate: { name: 'zone', uuid: UUID } }] }),
    errors: ['spec.groups[0]: Invalid value: exactly one group type must be set'],
  },
  {
    title: 'takes no group that is neither',
    object: hypervisor({ groups: [{}] }),
    errors: ['spec.groups[0]: Invalid value: exactly one group type must be set'],
  },
  {
    title: 'takes no trait without a name',
    object: hypervisor({ groups: [{ trait: {} }] }),
    errors: ['spec.groups[0].trait.name: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no trait with an empty name',
    object: hypervisor({ groups: [{ trait: { name: '' } }] }),
    errors: [
      'spec.groups[0].trait.name: Invalid value: "": spec.groups[0].trait.name in body should be at least 1 chars long',
    ],
  },
  {
    title: 'takes no aggregate with an empty name and id',
    object: hypervisor({ groups: [{ aggregate: { name: '', uuid: '' } }] }),
    errors: [
      'spec.groups[0].aggregate.name: Invalid value: "": spec.groups[0].aggregate.name in body should be at least 1 chars long',
      'spec.groups[0].aggregate.uuid: Invalid value: "": spec.groups[0].aggregate.uuid in body should match \'^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$\'',
    ],
  },
  {
    title: 'takes no text for a flag',
    object: hypervisor({ reboot: 'yes' }),
    errors: [
      'spec.reboot: Invalid value: "string": spec.reboot in body must be of type boolean: "string"',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'takes no number in a list of names',
    object: hypervisor({ aggregates: ['a', 7] }),
    errors: [
      'spec.aggregates[1]: Invalid value: "integer": spec.aggregates[1] in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
  },
];

/** Hypervisors that are changed. */
export const changedHypervisorCases: readonly KindCase[] = [
  { title: 'may be written again as it is', ...change({ maintenance: 'termination' }, { maintenance: 'termination' }) },
  { title: 'may go from termination to ha', ...change({ maintenance: 'termination' }, { maintenance: 'ha' }) },
  {
    title: 'may change more on the way from termination to ha',
    ...change({ maintenance: 'termination' }, { maintenance: 'ha', version: '1934.0', reboot: true }),
  },
  {
    title: 'may not go from termination to manual',
    ...change({ maintenance: 'termination' }, { maintenance: 'manual', maintenanceReason: 'x' }, [
      `spec: Invalid value: ${TERMINATING}`,
    ]),
  },
  {
    title: 'may not go from termination to auto',
    ...change({ maintenance: 'termination' }, { maintenance: 'auto' }, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not go from termination to none',
    ...change({ maintenance: 'termination' }, { maintenance: '' }, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not leave termination out',
    ...change({ maintenance: 'termination' }, {}, [
      "spec: Invalid value: \"object\": no such key: maintenance evaluating rule: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not lose its spec while terminating',
    ...change({ maintenance: 'termination' }, undefined, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not get another version while terminating',
    ...change({ maintenance: 'termination' }, { maintenance: 'termination', version: '1' }, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not get other lists while terminating',
    ...change({ maintenance: 'termination' }, { maintenance: 'termination', aggregates: ['a'] }, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  {
    title: 'may not get other flags while terminating',
    ...change({ maintenance: 'termination' }, { maintenance: 'termination', skipTests: true }, [
      "spec: Invalid value: spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'",
    ]),
  },
  { title: 'may lose its spec otherwise', ...change({ maintenance: 'auto' }, undefined) },
  {
    title: 'may leave manual maintenance and its reason',
    ...change({ maintenance: 'manual', maintenanceReason: 'x' }, {}),
  },
  {
    title: 'may not go to manual maintenance without a reason',
    ...change({}, { maintenance: 'manual' }, [
      "spec: Invalid value: maintenanceReason must be non-empty when maintenance is 'manual'",
    ]),
  },
  { title: 'may go to termination', ...change({}, { maintenance: 'termination' }) },
];

/** What is reported about Hypervisors. */
export const hypervisorStatusCases: readonly KindCase[] = [
  { title: 'needs no more than the number of instances', ...report({ numInstances: 3 }) },
  {
    title: 'takes quantities as texts and as numbers',
    ...report({ capacity: { memory: '64Gi', cpu: 256 }, cells: [{ cellID: 0, capacity: { cpu: '128' } }] }),
  },
  {
    title: 'takes no quantity that is none',
    ...report({ capacity: { memory: '64 GB' } }, [
      'status.capacity.memory: Invalid value: "64 GB": capacity.memory in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
    ]),
  },
  {
    title: 'takes no cell without a number',
    ...report({ cells: [{ capacity: { cpu: 1 } }] }, ['status.cells[0].cellID: Required value', RULES_NOT_CHECKED]),
  },
  { title: 'takes the name of a unit as a condition', ...report({ conditions: [condition('libvirtd.service')] }) },
  {
    title: 'takes a condition once only',
    ...report({ conditions: [condition('Ready'), condition('Ready')] }, [
      'status.conditions[1]: Duplicate value: {"type":"Ready"}',
    ]),
  },
  {
    title: 'takes no condition with an empty reason',
    ...report({ conditions: [{ ...condition('Ready'), reason: '' }] }, [
      'status.conditions[0].reason: Invalid value: "": conditions[0].reason in body should be at least 1 chars long',
    ]),
  },
  {
    title: 'takes no condition without a time',
    ...report({ conditions: [{ type: 'Ready', status: 'True', reason: 'A', message: '' }] }, [
      'status.conditions[0].lastTransitionTime: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'takes no condition that is maybe',
    ...report({ conditions: [{ ...condition('Ready'), status: 'Maybe' }] }, [
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'takes no instance without its id',
    ...report({ instances: [{ name: 'a', active: true }] }, [
      'status.instances[0].id: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
];

function hypervisor(spec?: JsonValue): JsonObject {
  const head = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: 'node001-bb234' } };
  return spec === undefined ? head : { ...head, spec };
}

function change(from: JsonValue, to: JsonValue | undefined, errors: readonly string[] = []): Omit<KindCase, 'title'> {
  return { old: hypervisor(from), object: hypervisor(to), errors };
}

function report(status: JsonValue, errors: readonly string[] = []): Omit<KindCase, 'title'> {
  return { old: hypervisor({}), object: { ...hypervisor({}), status }, isStatus: true, errors };
}

function condition(type: string): JsonObject {
  return { type, status: 'True', reason: 'Because', message: '', lastTransitionTime: '2026-08-21T10:00:00Z' };
}
