import { defineKind, of, type Kind } from '@smalt/kind';

import { migrationPolicySpec, migrationPolicyStatus } from './shapes/migration-policy-spec.ts';

export const migrationPolicy: Kind = defineKind({
  group: 'migrations.kubevirt.io',
  versions: [{ name: 'v1alpha1' }],
  kind: 'MigrationPolicy',
  plural: 'migrationpolicies',
  shortNames: [],
  scope: 'Cluster',
  description: 'How some instances are migrated, where that differs from the rest of the cluster.',
  columns: [],
  spec: migrationPolicySpec,
  status: of(migrationPolicyStatus, 'Nothing yet.', { nullable: true }),
  required: ['spec'],
  hasStatus: true,
});
