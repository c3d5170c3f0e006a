import { isSameJson } from '@smalt/json';
import type { Interface, VirtualMachineInstanceSpec, Volume } from '@smalt/vm-api';

import { bare } from './bare.ts';

/** Whether only volumes were changed that can be plugged in, unplugged, or moved to another claim while the guest runs. */
export function canSwapVolumes(
  started: VirtualMachineInstanceSpec,
  wanted: VirtualMachineInstanceSpec,
  isMigration: boolean,
): boolean {
  const before = byName(started.volumes);
  const after = byName(wanted.volumes);
  const isSwappable = (volume: Volume): boolean => {
    const old = before.get(volume.name);
    if (old === undefined) return isHotpluggable(volume);
    if (isSame(old, volume) || (isHotpluggable(old) && isHotpluggable(volume))) return true;
    const isClaim = volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined;
    return isClaim && isMigration;
  };
  const gone = [...before.values()].filter(({ name }) => !after.has(name));
  return [...after.values()].every(isSwappable) && gone.every(isHotpluggable);
}

/** Whether only disks of volumes were changed that can be plugged in and unplugged. */
export function canSwapDisks(started: VirtualMachineInstanceSpec, wanted: VirtualMachineInstanceSpec): boolean {
  const before = byName(started.domain.devices.disks);
  const after = byName(wanted.domain.devices.disks);
  const volumesBefore = byName(started.volumes);
  const volumesAfter = byName(wanted.volumes);
  return (
    [...after.values()].every(
      (disk) => isHotplugged(volumesAfter.get(disk.name)) || isSame(before.get(disk.name), disk),
    ) &&
    [...before.values()].every(
      (disk) => after.has(disk.name) || (disk.cdrom === undefined && isHotplugged(volumesBefore.get(disk.name))),
    )
  );
}

/** Whether only links were set up or down, or interfaces on further networks were added or marked to be taken away. */
export function canSwapInterfaces(started: VirtualMachineInstanceSpec, wanted: VirtualMachineInstanceSpec): boolean {
  const before = byName(started.domain.devices.interfaces);
  const after = byName(wanted.domain.devices.interfaces);
  const networks = byName(wanted.networks);
  const isSwappable = (each: Interface): boolean => {
    const old = before.get(each.name);
    if (old !== undefined) return isSame(withoutState(old), withoutState(each));
    const isPluggable = each.bridge !== undefined || each.sriov !== undefined;
    return isPluggable && networks.get(each.name)?.multus !== undefined;
  };
  const isFree = (each: Interface): boolean => after.has(each.name) || each.state === 'absent';
  return [...after.values()].every(isSwappable) && [...before.values()].every(isFree);
}

function isHotplugged(volume: Volume | undefined): boolean {
  return volume !== undefined && isHotpluggable(volume);
}

function isHotpluggable({ persistentVolumeClaim, dataVolume, memoryDump }: Volume): boolean {
  return persistentVolumeClaim?.hotpluggable === true || dataVolume?.hotpluggable === true || memoryDump !== undefined;
}

function withoutState(each: Interface): unknown {
  return { ...each, state: undefined };
}

function isSame(left: unknown, right: unknown): boolean {
  return isSameJson(bare(left), bare(right));
}

function byName<T extends { readonly name: string }>(items: readonly T[] | undefined): ReadonlyMap<string, T> {
  return new Map((items ?? []).map((item) => [item.name, item]));
}
