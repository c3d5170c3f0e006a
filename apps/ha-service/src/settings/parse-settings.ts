import { settingsProblems as detectionProblems } from '@smalt/failure-detection';
import { instanceRecoveryProblems } from '@smalt/instance-recovery';
import { policyProblems } from '@smalt/recovery-policy';

import { powerSettingsProblems } from '../power/power-settings-problems.ts';
import { HaServiceError } from '../ha-service-error.ts';
import { pullSettingsProblems } from '../sources/pull/pull-settings-problems.ts';
import type { HaServiceSettings } from './ha-service-settings.ts';
import { parseYaml } from './parse-yaml.ts';
import { settingsShape } from './settings-shape.ts';

const LEAST_HEARTBEAT_PATIENCE_MS = 150_000;

/**
 * Reads the text of the configuration, YAML or JSON. Throws an error of code `bad-settings` that has a line for every
 * field that is wrong; no secret is in it, because none is in the file.
 */
export function parseSettings(content: string): HaServiceSettings {
  const problems: string[] = [];
  const read = settingsShape.read(parseYaml(content) ?? {}, { path: '', problems });
  if (read === undefined) throw badSettings(problems);
  const unsafe = settingsProblems(read.value);
  if (unsafe.length > 0) throw badSettings(unsafe);
  return read.value;
}

/** Every setting that is readable and still makes no sense, or would be unsafe, each with its field. */
function settingsProblems(settings: HaServiceSettings): readonly string[] {
  const { detection, fencing, policy, instanceRecovery, pace, webhooks, sources } = settings;
  return [
    ...detectionProblems(detection).map((problem) => `detection.${problem}`),
    ...powerSettingsProblems(fencing).map((problem) => `fencing.${problem}`),
    ...policyProblems(policy).map((problem) => `policy.${problem}`),
    ...instanceRecoveryProblems(instanceRecovery).map((problem) => `instanceRecovery.${problem}`),
    ...pullSettingsProblems(sources.pull).map((problem) => `sources.pull${problem}`),
    ...twice(webhooks.map(({ name }) => name)).map((name) => `webhooks: two are called ${name}; rename one`),
    ...accessProblems(settings),
    ...(pace.serviceDownMs >= pace.refreshIntervalMs
      ? []
      : ['pace.refreshIntervalMs: must not be more than serviceDownMs, or a compute service goes down unseen']),
    ...heartbeatProblems(settings),
  ];
}

/** A virt-handler is heard of once a minute: one that is merely late must not count as down. */
function heartbeatProblems({ compute, pace }: HaServiceSettings): readonly string[] {
  if (compute.kind !== 'virtual-machines' || pace.serviceDownMs >= LEAST_HEARTBEAT_PATIENCE_MS) return [];
  return [
    `pace.serviceDownMs: must be at least ${LEAST_HEARTBEAT_PATIENCE_MS} where compute.kind is virtual-machines: virt-handlers are heard of once a minute`,
  ];
}

function accessProblems({ api, sources }: HaServiceSettings): readonly string[] {
  const { authorityFile, viewers, operators } = api.clientCertificates;
  const named = [...viewers, ...operators];
  return [
    ...(authorityFile === '' && named.length > 0
      ? ['api.clientCertificates.authorityFile: is missing: give who signs the certificates of viewers and operators']
      : []),
    ...(authorityFile !== '' && named.length === 0
      ? ['api.clientCertificates.viewers: nobody is named, so no certificate lets anybody in; name somebody']
      : []),
    ...(authorityFile !== '' && authorityFile === sources.push.authorityFile
      ? ['sources.push.authorityFile: is also that of persons, so a node could pass for one; give agents their own']
      : []),
    ...(authorityFile === '' && api.tokensFile === '' && !api.asksKubernetes
      ? ['api: nobody could use it, not even to confirm that a host is off; give tokensFile or set asksKubernetes']
      : []),
  ];
}

function twice(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function badSettings(problems: readonly string[]): HaServiceError {
  return new HaServiceError('bad-settings', problems.join('\n'));
}
