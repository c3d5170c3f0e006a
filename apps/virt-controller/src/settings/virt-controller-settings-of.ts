import { checkLabelValue, checkQualifiedName } from '@smalt/kubernetes';
import { migrationSettings } from '@smalt/vm-lifecycle';

import { VirtControllerError } from '../virt-controller-error.ts';
import type { VirtControllerConfig } from './virt-controller-config.ts';
import type { VirtControllerSettings } from './virt-controller-settings.ts';

/** The settings of the controllers. Refuses what can never work, by its name. */
export function virtControllerSettingsOf(config: VirtControllerConfig): VirtControllerSettings {
  const { launcher, migrations } = config;
  return {
    launcherImage: launcher.image,
    ...pullPolicyOf(launcher.pullPolicy),
    launcherPullSecrets: launcher.pullSecrets,
    cpuAllocationRatio: config.cpuAllocationRatio,
    memoryOvercommitPercent: config.memoryOvercommitPercent,
    nodeSelector: Object.fromEntries(launcher.nodeSelector.map(labelOf)),
    defaultNetworkInterface: config.networkInterface === 'masquerade' ? 'masquerade' : 'bridge',
    rollout: config.rollout === 'Stage' ? 'Stage' : 'LiveUpdate',
    migrations: migrationSettings({
      parallelMigrationsPerCluster: migrations.parallelPerCluster,
      parallelOutboundMigrationsPerNode: migrations.parallelOutboundPerNode,
      bandwidthPerMigration: migrations.bandwidth,
      completionTimeoutPerGiB: migrations.completionTimeoutPerGiB,
      progressTimeout: migrations.progressTimeout,
      maxDowntimeMs: migrations.maxDowntimeMs,
      allowAutoConverge: migrations.allowAutoConverge,
      allowPostCopy: migrations.allowPostCopy,
    }),
    drainTaintKey: config.drainTaintKey,
    heartbeatTimeoutMs: config.heartbeatTimeoutSeconds * 1000,
  };
}

function pullPolicyOf(text: string): Pick<VirtControllerSettings, 'launcherPullPolicy'> {
  return text === 'Always' || text === 'IfNotPresent' || text === 'Never' ? { launcherPullPolicy: text } : {};
}

function labelOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  const key = text.slice(0, Math.max(0, equals));
  const value = text.slice(equals + 1);
  const [problem] = equals < 0 ? ['there is no "="'] : [...checkQualifiedName(key), ...checkLabelValue(value)];
  if (problem === undefined) return [key, value];
  const message = `--launcher-node-selector: "${text}" is not a label as KEY=VALUE, such as zone=a: ${problem}`;
  throw new VirtControllerError('bad-setting', message);
}
