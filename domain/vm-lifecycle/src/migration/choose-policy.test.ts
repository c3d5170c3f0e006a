import { describe, expect, it } from 'vitest';

import { choosePolicy, type MigrationPolicy } from './choose-policy.ts';
import { MIGRATION_DEFAULTS, migrationSettings } from './migration-settings.ts';

const instanceLabels = { app: 'db', tier: 'gold' };
const namespaceLabels = { team: 'x' };

describe('choosePolicy', () => {
  it('has the usual numbers where nobody says otherwise', () => {
    expect(choose([])).toEqual({ settings: MIGRATION_DEFAULTS });
    expect(migrationSettings({ progressTimeout: 30 })).toEqual({ ...MIGRATION_DEFAULTS, progressTimeout: 30 });
  });

  it.each<[string, readonly MigrationPolicy[], string | undefined]>([
    ['the one that names most', [policy('few', { app: 'db' }), policy('most', { app: 'db' }, { team: 'x' })], 'most'],
    [
      'the one that names the instance, between equals',
      [policy('a', {}, { team: 'x' }), policy('b', { app: 'db' })],
      'b',
    ],
    ['the first by name, between equals', [policy('b', { app: 'db' }), policy('a', { tier: 'gold' })], 'a'],
    ['none that asks for more', [policy('a', { app: 'db', other: 'y' })], undefined],
    ['none that has no selectors', [{ name: 'a', settings: {} }], undefined],
  ])('takes %s', (_which, policies, name) => {
    expect(choose(policies).policyName).toBe(name);
  });

  it('puts the policy over the settings of the cluster', () => {
    const fast = {
      ...policy('fast', { app: 'db' }),
      settings: { bandwidthPerMigration: '1Gi', allowAutoConverge: true },
    };

    expect(choose([fast], { progressTimeout: 30, bandwidthPerMigration: '64Mi' }).settings).toEqual({
      ...MIGRATION_DEFAULTS,
      progressTimeout: 30,
      bandwidthPerMigration: '1Gi',
      allowAutoConverge: true,
    });
  });

  it('allows the disturbance of post-copy with post-copy', () => {
    const post = { ...policy('post', { app: 'db' }), settings: { allowPostCopy: true } };

    expect(choose([post]).settings).toMatchObject({ allowPostCopy: true, allowWorkloadDisruption: true });
  });
});

function choose(policies: readonly MigrationPolicy[], configuration?: object) {
  return choosePolicy({ policies, instanceLabels, namespaceLabels, configuration });
}

function policy(
  name: string,
  instance: Record<string, string>,
  namespace: Record<string, string> = {},
): MigrationPolicy {
  return { name, selectors: { instance, namespace }, settings: {} };
}
