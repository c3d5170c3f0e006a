import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { duplicate, invalid, required, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { isSameValue } from '../../is-same-value.ts';
import type { InstanceChange } from './instance-change.ts';

const LIST = 'spec.utilityVolumes';

/** Volumes for the launcher have names and claims of their own, are always plugged in, and never change. */
export function validateUtilityVolumes({ instance, old }: InstanceChange, settings: ClusterSettings): readonly Cause[] {
  const { utilityVolumes = [] } = instance.spec;
  if (utilityVolumes.length > 0 && !isGateOpen(settings, 'UtilityVolumes')) {
    return [invalid(LIST, 'UtilityVolumes feature gate is not enabled', gateAdvice('UtilityVolumes'))];
  }
  const permanent = new Set(
    (old.status?.volumeStatus ?? []).filter(({ hotplugVolume }) => hotplugVolume === undefined).map(({ name }) => name),
  );
  const before = new Map((old.spec.utilityVolumes ?? []).map((volume) => [volume.name, volume]));
  return [
    ...validateNames(instance.spec),
    ...utilityVolumes.flatMap((volume) => {
      const { name } = volume;
      const mustBeHotplug = `utility volume ${name} cannot be a permanent volume, utility volumes must always be hotplug`;
      const isChanged = before.has(name) && !isSameValue(before.get(name), volume);
      return [
        ...(permanent.has(name) ? [invalid('', mustBeHotplug)] : []),
        ...(isChanged ? [invalid('', `utility volume ${name} has changed`)] : []),
      ];
    }),
  ];
}

function validateNames({ utilityVolumes = [], volumes = [] }: VirtualMachineInstanceSpec): readonly Cause[] {
  return utilityVolumes.flatMap(({ name, claimName }, index) => {
    const field = `${LIST}[${index}]`;
    const other = utilityVolumes.findIndex((volume) => volume.name === name);
    const regular = volumes.findIndex((volume) => volume.name === name);
    const clash = `${field} conflicts with spec.volumes[${regular}]. UtilityVolume names must be unique across both volumes and utilityVolumes.`;
    return [
      ...(name === '' ? [required(`${field}.name`, "UtilityVolume 'name' must be set")] : []),
      ...(other < index
        ? [duplicate(`${field}.name`, `${field} and ${LIST}[${other}] must not have the same Name.`)]
        : []),
      ...(regular === -1 ? [] : [duplicate(`${field}.name`, clash)]),
      ...(claimName === '' ? [required(`${field}.claimName`, "UtilityVolume PVC 'claimName' must be set")] : []),
    ];
  });
}
