// Written by 'npm run generate' from domain/vm-api/kinds. Change the declarations there instead.

import type { KindReference } from '@smalt/kubernetes';

import type { MigrationPolicy, VirtualMachine, VirtualMachineClusterInstancetype, VirtualMachineClusterPreference, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstancePreset, VirtualMachineInstanceReplicaSet, VirtualMachineInstancetype, VirtualMachinePool, VirtualMachinePreference } from './objects.gen.ts';

export const virtualMachineInstanceKind: KindReference<VirtualMachineInstance> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  isNamespaced: true,
};

export const virtualMachineKind: KindReference<VirtualMachine> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  isNamespaced: true,
};

export const virtualMachineInstanceMigrationKind: KindReference<VirtualMachineInstanceMigration> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstanceMigration',
  plural: 'virtualmachineinstancemigrations',
  isNamespaced: true,
};

export const virtualMachineInstanceReplicaSetKind: KindReference<VirtualMachineInstanceReplicaSet> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstanceReplicaSet',
  plural: 'virtualmachineinstancereplicasets',
  isNamespaced: true,
};

export const virtualMachinePoolKind: KindReference<VirtualMachinePool> = {
  group: 'pool.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachinePool',
  plural: 'virtualmachinepools',
  isNamespaced: true,
};

export const virtualMachineInstancePresetKind: KindReference<VirtualMachineInstancePreset> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstancePreset',
  plural: 'virtualmachineinstancepresets',
  isNamespaced: true,
};

export const virtualMachineInstancetypeKind: KindReference<VirtualMachineInstancetype> = {
  group: 'instancetype.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineInstancetype',
  plural: 'virtualmachineinstancetypes',
  isNamespaced: true,
};

export const virtualMachineClusterInstancetypeKind: KindReference<VirtualMachineClusterInstancetype> = {
  group: 'instancetype.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  plural: 'virtualmachineclusterinstancetypes',
  isNamespaced: false,
};

export const virtualMachinePreferenceKind: KindReference<VirtualMachinePreference> = {
  group: 'instancetype.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachinePreference',
  plural: 'virtualmachinepreferences',
  isNamespaced: true,
};

export const virtualMachineClusterPreferenceKind: KindReference<VirtualMachineClusterPreference> = {
  group: 'instancetype.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineClusterPreference',
  plural: 'virtualmachineclusterpreferences',
  isNamespaced: false,
};

export const migrationPolicyKind: KindReference<MigrationPolicy> = {
  group: 'migrations.kubevirt.io',
  version: 'v1alpha1',
  kind: 'MigrationPolicy',
  plural: 'migrationpolicies',
  isNamespaced: false,
};
