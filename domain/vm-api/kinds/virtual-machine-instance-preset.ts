import { defineKind, type Kind, type KindVersion } from '@smalt/kind';

import { virtualMachineInstancePresetSpec } from './shapes/virtual-machine-instance-preset.ts';

export const virtualMachineInstancePreset: Kind = defineKind({
  group: 'kubevirt.io',
  versions: [deprecated('v1'), deprecated('v1alpha3')],
  kind: 'VirtualMachineInstancePreset',
  plural: 'virtualmachineinstancepresets',
  shortNames: ['vmipreset', 'vmipresets'],
  categories: ['all'],
  scope: 'Namespaced',
  description:
    'What instances with certain labels have where they do not say it. Deprecated; use instance types and preferences.',
  columns: [],
  spec: virtualMachineInstancePresetSpec,
  required: ['spec'],
  hasStatus: false,
});

function deprecated(name: string): KindVersion {
  const deprecationWarning = `kubevirt.io/${name} VirtualMachineInstancePresets is now deprecated and will be removed in v2.`;
  return { name, deprecationWarning };
}
