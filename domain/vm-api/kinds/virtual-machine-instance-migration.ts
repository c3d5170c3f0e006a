import { defineKind, type ConditionMeaning, type Kind } from '@smalt/kind';

import { kubevirtVersions } from './kubevirt-versions.ts';
import {
  virtualMachineInstanceMigrationSpec,
  virtualMachineInstanceMigrationStatus,
} from './shapes/virtual-machine-instance-migration.ts';

const conditions: readonly ConditionMeaning[] = [
  { type: 'migrationAbortRequested', meaning: 'The migration is to be given up.' },
  { type: 'migrationRejectedByResourceQuota', meaning: 'A quota leaves no room for the target.' },
  { type: 'migrationBlockedByUtilityVolumes', meaning: 'Utility volumes have to go first.' },
  { type: 'decentralizedMigrationBlocked', meaning: 'The other cluster is not ready.' },
  { type: 'migrationBlockedByBackup', meaning: 'A backup has to end first.' },
];

export const virtualMachineInstanceMigration: Kind = defineKind({
  group: 'kubevirt.io',
  versions: kubevirtVersions,
  kind: 'VirtualMachineInstanceMigration',
  plural: 'virtualmachineinstancemigrations',
  shortNames: ['vmim', 'vmims'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'An order to move an instance to another node. Deleting it gives the move up.',
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Where the migration is in its life' },
    { name: 'VMI', type: 'string', jsonPath: '.spec.vmiName', description: 'The name of the instance that moves' },
  ],
  conditions,
  spec: virtualMachineInstanceMigrationSpec,
  status: virtualMachineInstanceMigrationStatus,
  required: ['spec'],
  hasStatus: true,
});
