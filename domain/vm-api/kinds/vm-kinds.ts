import type { Kind } from '@smalt/kind';

import { migrationPolicy } from './migration-policy.ts';
import { virtualMachineClusterInstancetype } from './virtual-machine-cluster-instancetype.ts';
import { virtualMachineClusterPreference } from './virtual-machine-cluster-preference.ts';
import { virtualMachineInstanceMigration } from './virtual-machine-instance-migration.ts';
import { virtualMachineInstancePreset } from './virtual-machine-instance-preset.ts';
import { virtualMachineInstanceReplicaSet } from './virtual-machine-instance-replica-set.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';
import { virtualMachineInstancetype } from './virtual-machine-instancetype.ts';
import { virtualMachinePool } from './virtual-machine-pool.ts';
import { virtualMachinePreference } from './virtual-machine-preference.ts';
import { virtualMachine } from './virtual-machine.ts';

export const vmKinds: readonly Kind[] = [
  virtualMachineInstance,
  virtualMachine,
  virtualMachineInstanceMigration,
  virtualMachineInstanceReplicaSet,
  virtualMachinePool,
  virtualMachineInstancePreset,
  virtualMachineInstancetype,
  virtualMachineClusterInstancetype,
  virtualMachinePreference,
  virtualMachineClusterPreference,
  migrationPolicy,
];
