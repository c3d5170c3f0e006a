import { defineKind, of, type Kind } from '@smalt/kind';

import { virtualMachinePoolSpec, virtualMachinePoolStatus } from './shapes/virtual-machine-pool.ts';

export const virtualMachinePool: Kind = defineKind({
  group: 'pool.kubevirt.io',
  versions: [{ name: 'v1beta1' }, { name: 'v1alpha1' }],
  kind: 'VirtualMachinePool',
  plural: 'virtualmachinepools',
  shortNames: ['vmpool', 'vmpools'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'Keeps a number of like virtual machines.',
  columns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'How many there should be' },
    { name: 'Current', type: 'integer', jsonPath: '.status.replicas', description: 'How many there are' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'How many are ready' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  conditions: [
    { type: 'ReplicaFailure', meaning: 'Machines could not be made, changed or deleted.' },
    { type: 'ReplicaPaused', meaning: 'Machines are neither made nor changed nor deleted for now.' },
  ],
  spec: virtualMachinePoolSpec,
  status: of(virtualMachinePoolStatus, 'How many machines there are.', { nullable: true }),
  required: ['spec'],
  hasStatus: true,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
});
