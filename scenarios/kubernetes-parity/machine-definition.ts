import type { JsonObject } from '@smalt/json';

/** The definition of the kind Machine, which has something of everything that a definition can say. */
export function machineDefinition(group: string): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `machines.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'machines',
        singular: 'machine',
        kind: 'Machine',
        listKind: 'MachineList',
        shortNames: ['mc'],
        categories: ['all'],
      },
      versions: [version()],
    },
  };
}

function version(): JsonObject {
  return {
    name: 'v1',
    served: true,
    storage: true,
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'CPUs', type: 'integer', jsonPath: '.spec.cpus' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1, description: 'What it boots' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.hypervisor' }],
    schema: {
      openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec: spec(), status: status() } },
    },
  };
}

function spec(): JsonObject {
  const disk = {
    name: { type: 'string', maxLength: 63 },
    sizeGiB: { type: 'integer' },
    bus: { type: 'string', enum: ['virtio', 'scsi', 'sata'], default: 'virtio' },
  };
  return {
    type: 'object',
    required: ['cpus'],
    'x-kubernetes-validations': [
      { rule: '!has(self.maxCpus) || self.cpus <= self.maxCpus', message: 'cpus must be <= maxCpus' },
      { rule: '!has(oldSelf.image) || self.image == oldSelf.image', message: 'image is immutable' },
    ],
    properties: {
      cpus: { type: 'integer', minimum: 1, maximum: 512 },
      maxCpus: { type: 'integer' },
      replicas: { type: 'integer', default: 1 },
      memory: { type: 'string', pattern: '^[0-9]+(Mi|Gi)$', default: '1Gi' },
      hypervisor: { type: 'string' },
      image: { type: 'string' },
      disks: {
        type: 'array',
        maxItems: 32,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: disk },
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

function status(): JsonObject {
  return {
    type: 'object',
    properties: {
      phase: { type: 'string' },
      replicas: { type: 'integer' },
      selector: { type: 'string' },
      observedGeneration: { type: 'integer' },
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type', 'status'],
          properties: {
            type: { type: 'string' },
            status: { type: 'string' },
            lastTransitionTime: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  };
}
