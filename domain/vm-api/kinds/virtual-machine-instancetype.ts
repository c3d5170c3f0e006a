import { defineKind, type Kind } from '@smalt/kind';

import { virtualMachineInstancetypeSpec } from './shapes/instancetype-spec.ts';

export const virtualMachineInstancetype: Kind = defineKind({
  group: 'instancetype.kubevirt.io',
  versions: [{ name: 'v1beta1' }],
  kind: 'VirtualMachineInstancetype',
  plural: 'virtualmachineinstancetypes',
  shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'A size of virtual machines, for those of its namespace.',
  columns: [],
  spec: virtualMachineInstancetypeSpec,
  required: ['spec'],
  hasStatus: false,
});
