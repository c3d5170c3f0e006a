import { defineKind, type Kind } from '@smalt/kind';

import { virtualMachinePreferenceSpec } from './shapes/preference-spec.ts';

export const virtualMachinePreference: Kind = defineKind({
  group: 'instancetype.kubevirt.io',
  versions: [{ name: 'v1beta1' }],
  kind: 'VirtualMachinePreference',
  plural: 'virtualmachinepreferences',
  shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'Defaults of virtual machines, for those of its namespace.',
  columns: [],
  spec: virtualMachinePreferenceSpec,
  required: ['spec'],
  hasStatus: false,
});
