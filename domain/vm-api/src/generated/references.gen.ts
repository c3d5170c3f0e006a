// Written by 'npm run generate' from domain/vm-api/kinds. Change the declarations there instead.

import type { KindReference } from '@smalt/kubernetes';

import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstanceReplicaSet } from './objects.gen.ts';

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
