import { flag, int64, mapOf, of, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { experimentalMigrationOptions } from './migration-configuration.ts';

const migrationPolicySelectors: TSchema = shape({
  name: 'MigrationPolicySelectors',
  description: 'Which instances a policy is for: those that have all the labels.',
  fields: {
    namespaceSelector: mapOf(text(''), 'Labels that the namespace has.'),
    virtualMachineInstanceSelector: mapOf(text(''), 'Labels that the instance has.'),
  },
});

export const migrationPolicySpec: TSchema = shape({
  name: 'MigrationPolicySpec',
  description: 'How the instances that are chosen are migrated.',
  required: ['selectors'],
  fields: {
    allowAutoConverge: flag('Slow the guest down so that the migration can end.'),
    allowPostCopy: flag('Let the guest run at the target before all memory is there.'),
    allowWorkloadDisruption: flag('Allow what disturbs the guest; as `allowPostCopy` when not set.'),
    bandwidthPerMigration: quantity('The most that one migration may send per second; no limit when 0.'),
    completionTimeoutPerGiB: int64('How many seconds it may take per GiB of memory.'),
    experimental: of(experimentalMigrationOptions, 'Options that may change.'),
    maxDowntimeMs: int64('How long the guest may stand still, in milliseconds.', { minimum: 1, maximum: 2000000 }),
    selectors: of(migrationPolicySelectors, 'Which instances it is for.'),
  },
});

export const migrationPolicyStatus: TSchema = shape({
  name: 'MigrationPolicyStatus',
  description: 'Nothing yet.',
  fields: {},
});
