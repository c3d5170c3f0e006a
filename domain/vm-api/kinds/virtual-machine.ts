import { defineKind, type ConditionMeaning, type Kind } from '@smalt/kind';

import { kubevirtVersions } from './kubevirt-versions.ts';
import { virtualMachineSpec } from './shapes/virtual-machine-spec.ts';
import { virtualMachineStatus } from './shapes/virtual-machine-status.ts';

const conditions: readonly ConditionMeaning[] = [
  { type: 'Ready', meaning: 'The instance is ready.' },
  { type: 'Failure', meaning: 'The controller could not do what is wanted.' },
  { type: 'RestartRequired', meaning: 'A change takes effect only after a restart.' },
  { type: 'ManualRecoveryRequired', meaning: 'A person has to put volumes in order.' },
  { type: 'Paused', meaning: 'As all other conditions of the instance, it is shown here too.' },
];

export const virtualMachine: Kind = defineKind({
  group: 'kubevirt.io',
  versions: kubevirtVersions,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  shortNames: ['vm', 'vms'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'A virtual machine, whether it runs or not.',
  columns: [
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Status', type: 'string', jsonPath: '.status.printableStatus', description: 'Its state for people' },
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  ],
  conditions,
  spec: virtualMachineSpec,
  status: virtualMachineStatus,
  required: ['spec'],
  hasStatus: true,
});
