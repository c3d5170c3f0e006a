import type { MigrationPolicy, MigrationPolicySpec } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { DEFAULT_CLUSTER_SETTINGS } from '../../cluster-settings.ts';
import { validateMigrationPolicy } from './validate-migration-policy.ts';

it.each<[string, Partial<MigrationPolicySpec>, readonly string[]]>([
  ['selectors alone', {}, []],
  ['usual settings', { allowPostCopy: true, bandwidthPerMigration: '2000Mi', completionTimeoutPerGiB: 0 }, []],
  ['a time that is over', { completionTimeoutPerGiB: -1 }, ['spec.completionTimeoutPerGiB']],
  ['less than no bandwidth', { bandwidthPerMigration: '-1Mi' }, ['spec.bandwidthPerMigration']],
  ['a bandwidth that is no amount', { bandwidthPerMigration: 'fast' }, ['spec.bandwidthPerMigration']],
  ['a downtime behind closed gates', { maxDowntimeMs: 100 }, ['spec.maxDowntimeMs']],
  [
    'what no node does',
    { experimental: { stallDetector: {}, compression: 'zstd' } },
    ['spec.experimental.stallDetector', 'spec.experimental.compression'],
  ],
])('judges a policy with %s', (_what, spec, fields) => {
  const causes = validateMigrationPolicy(policy(spec), undefined, DEFAULT_CLUSTER_SETTINGS);

  expect(causes.map(({ field }) => field)).toEqual(fields);
});

it('leaves a downtime that was allowed once', () => {
  const old = policy({ maxDowntimeMs: 100 });

  expect(validateMigrationPolicy(old, old, DEFAULT_CLUSTER_SETTINGS)).toEqual([]);
  expect(validateMigrationPolicy(policy({ maxDowntimeMs: 200 }), old, DEFAULT_CLUSTER_SETTINGS)).toHaveLength(1);
});

it.each(['MigrationStallDetection', 'MigrationDowntimeTuning'])('takes a downtime with the gate %s', (gate) => {
  const settings = { ...DEFAULT_CLUSTER_SETTINGS, featureGates: [gate] };

  expect(validateMigrationPolicy(policy({ maxDowntimeMs: 100 }), undefined, settings)).toEqual([]);
});

function policy(spec: Partial<MigrationPolicySpec>): MigrationPolicy {
  return {
    apiVersion: 'migrations.kubevirt.io/v1alpha1',
    kind: 'MigrationPolicy',
    metadata: { name: 'fast' },
    spec: { selectors: {}, ...spec },
  };
}
