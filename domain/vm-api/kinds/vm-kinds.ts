import type { Kind } from '@smalt/kind';

import { virtualMachineInstanceMigration } from './virtual-machine-instance-migration.ts';
import { virtualMachineInstanceReplicaSet } from './virtual-machine-instance-replica-set.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';
import { virtualMachine } from './virtual-machine.ts';

export const vmKinds: readonly Kind[] = [
  virtualMachineInstance,
  virtualMachine,
  virtualMachineInstanceMigration,
  virtualMachineInstanceReplicaSet,
];
