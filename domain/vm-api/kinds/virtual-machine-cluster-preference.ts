import { defineKind, type Kind } from '@smalt/kind';

import { virtualMachinePreferenceSpec } from './shapes/preference-spec.ts';

export const virtualMachineClusterPreference: Kind = defineKind({
  group: 'instancetype.kubevirt.io',
  versions: [{ name: 'v1beta1' }],
  kind: 'VirtualMachineClusterPreference',
  plural: 'virtualmachineclusterpreferences',
  shortNames: ['vmcp', 'vmcps'],
  scope: 'Cluster',
  description: 'Defaults of virtual machines, for all namespaces.',
  columns: [],
  spec: virtualMachinePreferenceSpec,
  required: ['spec'],
  hasStatus: false,
});
