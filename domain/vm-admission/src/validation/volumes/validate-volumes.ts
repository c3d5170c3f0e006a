import { checkDns1123Label } from '@smalt/kubernetes';
import type { Volume } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { validatePath } from '../firmware/validate-path.ts';
import type { SpecScope } from '../spec-rule.ts';
import { validateCloudInit } from './validate-cloud-init.ts';
import { validateHostDisk } from './validate-host-disk.ts';

const SOURCES = [
  'cloudInitConfigDrive',
  'cloudInitNoCloud',
  'configMap',
  'containerDisk',
  'containerPath',
  'dataVolume',
  'downwardAPI',
  'downwardMetrics',
  'emptyDisk',
  'ephemeral',
  'hostDisk',
  'memoryDump',
  'persistentVolumeClaim',
  'secret',
  'serviceAccount',
  'sysprep',
] as const satisfies readonly (keyof Volume)[];

const AT_MOST_ONE = [
  { source: 'serviceAccount', words: 'serviceAccount volume' },
  { source: 'downwardMetrics', words: 'downwardMetric volume' },
  { source: 'memoryDump', words: 'memory dump volume' },
] as const;

/** Each volume for itself, that no two have the same name, and that there are not too many of some kinds. */
export function validateVolumes(scope: SpecScope): readonly Cause[] {
  const { volumes = [], domain } = scope.spec;
  // Of these names the rule about disks tells.
  const disks = new Set((domain.devices.disks ?? []).map(({ name }) => name));
  const list = `${scope.path}.volumes`;
  const tooMany = AT_MOST_ONE.filter(
    ({ source }) => volumes.filter((volume) => volume[source] !== undefined).length > 1,
  );
  return [
    ...volumes.flatMap((volume, index) => [
      ...repeatedName(volumes, index, list),
      ...(disks.has(volume.name) ? [] : checkDns1123Label(volume.name)).map((problem) =>
        invalid(`${list}[${index}].name`, problem),
      ),
      ...validateVolume(volume, `${list}[${index}]`, scope),
    ]),
    ...tooMany.map(({ words }) => invalid(list, `${list} must have max one ${words} set`)),
  ];
}

function repeatedName(volumes: readonly Volume[], index: number, list: string): readonly Cause[] {
  const first = volumes.findIndex(({ name }) => name === volumes[index]?.name);
  if (first === index) return [];
  return [invalid(`${list}[${index}].name`, `${list}[${index}] and ${list}[${first}] must not have the same Name.`)];
}

function validateVolume(volume: Volume, field: string, { settings }: SpecScope): readonly Cause[] {
  const count = SOURCES.filter((source) => volume[source] !== undefined).length;
  const metricsMessage = 'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.';
  const refusesMetrics = volume.downwardMetrics !== undefined && !isGateOpen(settings, 'DownwardMetrics');
  return [
    ...(volume.dataVolume?.name === '' ? [required(`${field}.name`, "DataVolume 'name' must be set")] : []),
    ...(count === 1 ? [] : [invalid(field, `${field} must have exactly one source type set`)]),
    ...validateCloudInit(volume, field),
    ...(refusesMetrics ? [invalid(field, metricsMessage, gateAdvice('DownwardMetrics'))] : []),
    ...validateHostDisk(volume, field, settings),
    ...validateReferences(volume, field),
  ];
}

function validateReferences({ configMap, secret, serviceAccount }: Volume, field: string): readonly Cause[] {
  const missing = [
    ...(configMap !== undefined && isEmpty(configMap.name) ? ['configMap.name'] : []),
    ...(secret !== undefined && isEmpty(secret.secretName) ? ['secret.secretName'] : []),
    ...(serviceAccount !== undefined && isEmpty(serviceAccount.serviceAccountName)
      ? ['serviceAccount.serviceAccountName']
      : []),
  ];
  return missing.map((name) => invalid(`${field}.${name}`, `${field}.${name} is a required field`));
}

/** The disk in an image is at a path that stays inside the image. */
export function validateContainerDiskPaths({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.volumes ?? []).flatMap(({ containerDisk }, index) =>
    containerDisk === undefined || isEmpty(containerDisk.path)
      ? []
      : validatePath(`${path}.volumes[${index}].containerDisk`, containerDisk.path ?? ''),
  );
}

/** Volumes for the launcher are plugged in later, never given from the start. */
export function validateNoUtilityVolumes({ path, spec }: SpecScope): readonly Cause[] {
  if (spec.utilityVolumes === undefined) return [];
  const message = 'cannot create VMI with utility volumes in spec, utility volumes can only be added via hotplug';
  return [invalid(`${path}.utilityVolumes`, message)];
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === '';
}
