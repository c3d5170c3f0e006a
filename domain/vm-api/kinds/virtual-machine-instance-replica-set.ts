import { defineKind, of, type Kind } from '@smalt/kind';

import { kubevirtVersions } from './kubevirt-versions.ts';
import {
  virtualMachineInstanceReplicaSetSpec,
  virtualMachineInstanceReplicaSetStatus,
} from './shapes/virtual-machine-instance-replica-set.ts';

export const virtualMachineInstanceReplicaSet: Kind = defineKind({
  group: 'kubevirt.io',
  versions: kubevirtVersions,
  kind: 'VirtualMachineInstanceReplicaSet',
  plural: 'virtualmachineinstancereplicasets',
  shortNames: ['vmirs', 'vmirss'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'Keeps a number of like instances running.',
  columns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'How many there should be' },
    { name: 'Current', type: 'integer', jsonPath: '.status.replicas', description: 'How many there are' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'How many are ready' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  conditions: [
    { type: 'ReplicaFailure', meaning: 'Instances could not be made or deleted.' },
    { type: 'ReplicaPaused', meaning: 'Instances are neither made nor deleted for now.' },
  ],
  spec: virtualMachineInstanceReplicaSetSpec,
  status: of(virtualMachineInstanceReplicaSetStatus, 'How many instances there are.', { nullable: true }),
  required: ['spec'],
  hasStatus: true,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
});
