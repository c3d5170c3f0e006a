import { flag, listOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { dataVolumeTemplateSpec } from './data-volume.ts';
import { virtualMachineInstanceTemplateSpec } from './virtual-machine-instance-spec.ts';

const instancetypeMatcher: TSchema = shape({
  name: 'InstancetypeMatcher',
  description: 'Names an instance type.',
  fields: {
    inferFromVolume: text('The volume whose labels say which one.'),
    inferFromVolumeFailurePolicy: text('What happens when the volume does not say: `Reject` or `Ignore`.'),
    kind: text('The kind; `VirtualMachineClusterInstancetype` when not set.'),
    name: text('The name.'),
    revisionName: text('The revision that is pinned.'),
  },
});

const preferenceMatcher: TSchema = shape({
  name: 'PreferenceMatcher',
  description: 'Names a preference.',
  fields: {
    inferFromVolume: text('The volume whose labels say which one.'),
    inferFromVolumeFailurePolicy: text('What happens when the volume does not say: `Reject` or `Ignore`.'),
    kind: text('The kind; `VirtualMachineClusterPreference` when not set.'),
    name: text('The name.'),
    revisionName: text('The revision that is pinned.'),
  },
});

export const virtualMachineSpec: TSchema = shape({
  name: 'VirtualMachineSpec',
  description: 'A virtual machine, whether it runs or not.',
  required: ['template'],
  fields: {
    dataVolumeTemplates: listOf(
      of(dataVolumeTemplateSpec, '', { nullable: true }),
      'Volumes that belong to it and go with it.',
    ),
    instancetype: of(instancetypeMatcher, 'Processors, memory and more, by the name of an instance type.'),
    preference: of(preferenceMatcher, 'Defaults for what is not set, by the name of a preference.'),
    runStrategy: text('When it runs: `Always`, `Halted`, `Manual`, `RerunOnFailure`, `Once` or `WaitAsReceiver`.'),
    running: flag('Deprecated; use `runStrategy`.'),
    template: of(virtualMachineInstanceTemplateSpec, 'What its instance is made from.'),
    updateVolumesStrategy: text('What a change of volumes does: `Migration` or `Replacement`.'),
  },
});
