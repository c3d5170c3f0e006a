import type { Disk, Volume } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Each disk has a volume of its name, and one that it can show. Only a CD-ROM may be empty. */
export function validateDiskVolumes({ path, spec, settings }: SpecScope): readonly Cause[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const acceptsEmpty = isGateOpen(settings, 'DeclarativeHotplugVolumes');
  return (spec.domain.devices.disks ?? []).flatMap((disk, index) => {
    const field = `${path}.domain.devices.disks[${index}]`;
    const volume = volumes.get(disk.name);
    return volume === undefined ? withoutVolume(disk, field, acceptsEmpty) : validateMatch(disk, volume, field);
  });
}

function withoutVolume(disk: Disk, field: string, acceptsEmpty: boolean): readonly Cause[] {
  if (disk.cdrom === undefined) {
    const advice = `Add a volume named ${disk.name}, or remove the disk.`;
    return [invalid(`${field}.name`, `${field}.Name '${disk.name}' not found.`, advice)];
  }
  if (acceptsEmpty) return [];
  const message = 'DeclarativeHotplugVolumes feature gate not enabled, cannot define an empty CD-ROM disk';
  return [invalid(`${field}.name`, message, gateAdvice('DeclarativeHotplugVolumes'))];
}

function validateMatch(disk: Disk, volume: Volume, field: string): readonly Cause[] {
  const causes: Cause[] = [];
  if (disk.lun !== undefined && volume.persistentVolumeClaim === undefined && volume.dataVolume === undefined) {
    const message = `${field}.lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.`;
    causes.push(invalid(`${field}.lun`, message));
  }
  return volume.downwardMetrics === undefined ? causes : [...causes, ...validateMetricsDisk(disk, field)];
}

function validateMetricsDisk(disk: Disk, field: string): readonly Cause[] {
  const target = `${field}.disk`;
  if (disk.disk === undefined) {
    const message = `DownwardMetrics volume must be mapped to a disk, but disk is not set on ${target}.`;
    return [required(target, message)];
  }
  const { bus = '' } = disk.disk;
  if (bus === 'virtio' || bus === '') return [];
  const message = `DownwardMetrics volume must be mapped to virtio bus, but ${target}.bus is set to ${bus}`;
  return [invalid(`${target}.bus`, message)];
}
