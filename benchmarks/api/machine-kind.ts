import type { JsonObject } from '@smalt/json';

export const NAMESPACE = 'bench';
export const GROUP = 'bench.smalt.dev';
export const DEFINITIONS_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const MACHINES_PATH: string = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/machines`;

/** A custom kind as operators have them: defaults, patterns, keyed lists, a rule, a status, columns. */
export function machineDefinition(): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `machines.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'machines', singular: 'machine', kind: 'Machine', listKind: 'MachineList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'CPUs', type: 'integer', jsonPath: '.spec.cpus' },
            { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          ],
          selectableFields: [{ jsonPath: '.spec.hypervisor' }],
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status } } },
        },
      ],
    },
  };
}

const text = { type: 'string' };
const integer = { type: 'integer' };

const disk = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 63 },
    sizeGiB: integer,
    bus: { type: 'string', enum: ['virtio', 'scsi', 'sata'], default: 'virtio' },
  },
};

const spec = {
  type: 'object',
  required: ['cpus'],
  'x-kubernetes-validations': [
    { rule: '!has(self.maxCpus) || self.cpus <= self.maxCpus', message: 'cpus must be <= maxCpus' },
  ],
  properties: {
    cpus: { type: 'integer', minimum: 1, maximum: 512 },
    maxCpus: integer,
    memory: { type: 'string', pattern: '^[0-9]+(Mi|Gi)$', default: '1Gi' },
    hypervisor: text,
    image: text,
    disks: {
      type: 'array',
      maxItems: 32,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: disk,
    },
    tags: { type: 'object', additionalProperties: text },
  },
};

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};

const status = {
  type: 'object',
  properties: {
    phase: text,
    observedGeneration: integer,
    ticks: integer,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: condition,
    },
  },
};

/** A machine of some 1.3 KiB once it is stored. */
export function machine(name: string, number: number): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Machine',
    metadata: {
      name,
      namespace: NAMESPACE,
      labels: { app: 'bench', shard: String(number % 10), 'smalt.dev/tenant': `tenant-${number % 50}` },
      annotations: { 'smalt.dev/note': 'x'.repeat(120) },
    },
    spec: {
      cpus: 4,
      memory: '8Gi',
      hypervisor: `hypervisor-${number % 20}`,
      image: `registry.local/images/debian-12@sha256:${'0123456789abcdef'.repeat(4)}`,
      disks: [
        { name: 'root', sizeGiB: 20 },
        { name: 'data', sizeGiB: 200, bus: 'scsi' },
      ],
      tags: { first: 'one', second: 'two', third: 'three' },
    },
  };
}

/** What a controller reports of a machine; `ticks` makes each report another one. */
export function machineStatus(ticks: number): JsonObject {
  const since = '2026-01-01T00:00:00Z';
  return {
    phase: 'Running',
    observedGeneration: 1,
    ticks,
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Up', message: 'the domain is running', lastTransitionTime: since },
      { type: 'Scheduled', status: 'True', reason: 'Placed', message: 'hypervisor-1', lastTransitionTime: since },
    ],
  };
}
