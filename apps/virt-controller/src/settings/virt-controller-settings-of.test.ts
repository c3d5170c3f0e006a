import { expect, it } from 'vitest';

import { loadVirtControllerConfig } from './load-virt-controller-config.ts';
import { virtControllerSettingsOf } from './virt-controller-settings-of.ts';
import { defaultVirtControllerSettings, type VirtControllerSettings } from './virt-controller-settings.ts';

it('is as by default when nothing is said', async () => {
  expect(await settings()).toEqual(defaultVirtControllerSettings);
});

it('takes what flags say', async () => {
  const given = await settings(
    '--launcher-node-selector=zone=a',
    '--migrations-parallel-per-cluster=9',
    '--migrations-allow-post-copy',
    '--rollout=Stage',
    '--launcher-pull-policy=Always',
    '--launcher-pull-secrets=registry',
  );

  expect(given).toMatchObject({
    nodeSelector: { zone: 'a' },
    rollout: 'Stage',
    launcherPullPolicy: 'Always',
    launcherPullSecrets: ['registry'],
    migrations: { parallelMigrationsPerCluster: 9, allowPostCopy: true, allowWorkloadDisruption: true },
  });
});

it.each(['zone', '=a', 'zone=a b', 'a b=c'])('refuses the label %j, with what one looks like', async (label) => {
  await expect(settings(`--launcher-node-selector=${label}`)).rejects.toThrow('such as zone=a');
});

it.each([
  ['--rollout=Later', 'rollout'],
  ['--launcher-pull-policy=Sometimes', 'pull-policy'],
  ['--launcher-pull-secrets=Registry', 'pull-secrets'],
  ['--migrations-parallel-per-cluster=0', 'parallel-per-cluster'],
  ['--migrations-bandwidth=fast', 'bandwidth'],
  ['--heartbeat-timeout-seconds=1', 'heartbeat'],
])('refuses %s by its name', async (flag, name) => {
  await expect(settings(flag)).rejects.toThrow(name);
});

async function settings(...words: readonly string[]): Promise<VirtControllerSettings> {
  const loaded = await loadVirtControllerConfig({ arguments: words, environment: {} });
  if (loaded.kind === 'help') throw new Error('help was not asked for');
  return virtControllerSettingsOf(loaded.config);
}
