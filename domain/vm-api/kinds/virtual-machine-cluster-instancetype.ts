import { defineKind, type Kind } from '@smalt/kind';

import { virtualMachineInstancetypeSpec } from './shapes/instancetype-spec.ts';

export const virtualMachineClusterInstancetype: Kind = defineKind({
  group: 'instancetype.kubevirt.io',
  versions: [{ name: 'v1beta1' }],
  kind: 'VirtualMachineClusterInstancetype',
  plural: 'virtualmachineclusterinstancetypes',
  shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
  scope: 'Cluster',
  description: 'A size of virtual machines, for all namespaces.',
  columns: [],
  spec: virtualMachineInstancetypeSpec,
  required: ['spec'],
  hasStatus: false,
});
