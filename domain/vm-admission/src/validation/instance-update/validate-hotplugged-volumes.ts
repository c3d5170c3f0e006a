import { checkDns1123Label } from '@smalt/kubernetes';
import type { Disk, VirtualMachineInstance, Volume } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { isGateOpen } from '../../feature-gates.ts';
import { isSameValue } from '../../is-same-value.ts';
import { validateHotpluggedDisk } from '../disks/validate-hotplugged-disk.ts';
import type { InstanceChange } from './instance-change.ts';

type ByName<Item> = ReadonlyMap<string, Item>;

interface Storage {
  readonly permanent: ByName<Volume>;
  readonly hotplugged: ByName<Volume>;
  readonly disks: ByName<Disk>;
}

/** Volumes that were there from the start stay; others come and go as wholes, with disks that can be plugged. */
export function validateHotpluggedVolumes(change: InstanceChange, settings: ClusterSettings): readonly Cause[] {
  const { instance, old } = change;
  const permanentNames = new Set(
    (old.status?.volumeStatus ?? []).filter(({ hotplugVolume }) => hotplugVolume === undefined).map(({ name }) => name),
  );
  const migrated = new Set((instance.status?.migratedVolumes ?? []).map(({ volumeName }) => volumeName));
  const [now, before] = [storageOf(instance, permanentNames), storageOf(old, permanentNames)];
  return [
    ...validateCount(instance, settings),
    ...validatePermanent(now, before, migrated),
    ...[...now.hotplugged.values()].flatMap((volume) =>
      before.hotplugged.has(volume.name)
        ? validateKept(volume, [now, before], migrated)
        : validateNew(volume, now, before),
    ),
  ];
}

function storageOf({ spec }: VirtualMachineInstance, permanentNames: ReadonlySet<string>): Storage {
  const { volumes = [] } = spec;
  return {
    permanent: byName(volumes.filter(({ name }) => permanentNames.has(name))),
    hotplugged: byName(volumes.filter(({ name }) => !permanentNames.has(name))),
    disks: byName(spec.domain.devices.disks ?? []),
  };
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): ByName<Item> {
  return new Map(items.map((item) => [item.name, item]));
}

function validateCount({ spec }: VirtualMachineInstance, settings: ClusterSettings): readonly Cause[] {
  const { disks = [], filesystems = [] } = spec.domain.devices;
  const names = new Set(
    (spec.volumes ?? []).filter(({ memoryDump }) => memoryDump === undefined).map(({ name }) => name),
  );
  const acceptsEmpty = isGateOpen(settings, 'DeclarativeHotplugVolumes');
  const needed = disks.filter(({ name, cdrom }) => names.has(name) || cdrom === undefined || !acceptsEmpty);
  const count = needed.length + filesystems.length;
  if (count === names.size) return [];
  return [invalid('', `mismatch between volumes declared (${names.size}) and required (${count})`)];
}

function validatePermanent(now: Storage, before: Storage, migrated: ReadonlySet<string>): readonly Cause[] {
  if (now.permanent.size !== before.permanent.size) return [invalid('', 'Number of permanent volumes has changed')];
  return [...now.permanent].flatMap(([name, volume]) => {
    const old = before.permanent.get(name);
    if (old === undefined) return [invalid('', `permanent volume ${name}, not found`)];
    if (migrated.has(name)) return [];
    if (!isSameValue(volume, old)) return [invalid('', `permanent volume ${name}, changed`)];
    if (isSameValue(now.disks.get(name), before.disks.get(name))) return [];
    return [invalid('', `permanent disk ${name}, changed`)];
  });
}

function validateKept(
  volume: Volume,
  [now, before]: readonly [Storage, Storage],
  migrated: ReadonlySet<string>,
): readonly Cause[] {
  const { name } = volume;
  const isChanged = !isSameValue(volume, before.hotplugged.get(name)) && !migrated.has(name);
  if (isChanged) return [invalid('', `hotplug volume ${name}, changed`)];
  if (volume.memoryDump !== undefined) return [];
  const disk = now.disks.get(name);
  if (disk === undefined) return [invalid('', `volume ${name} doesn't have a matching disk`)];
  return isSameValue(disk, before.disks.get(name)) ? [] : [invalid('', `hotplug disk ${name}, changed`)];
}

function validateNew(volume: Volume, now: Storage, before: Storage): readonly Cause[] {
  const { name, dataVolume, persistentVolumeClaim, memoryDump } = volume;
  // It becomes that of a directory on the node.
  const problems = checkDns1123Label(name);
  if (problems.length > 0) return [invalid('', `hotplug volume name [${name}] is not valid: ${problems.join(', ')}`)];
  if (memoryDump !== undefined) return [];
  if (dataVolume === undefined && persistentVolumeClaim === undefined) {
    return [invalid('', `volume ${name} is not a PVC or DataVolume`)];
  }
  const disk = now.disks.get(name);
  if (disk === undefined) return [invalid('', `disk ${name} does not exist`)];
  // A disk that was there is an empty CD-ROM that gets a medium.
  if (before.disks.has(name)) return [];
  return validateHotpluggedDisk(disk, { name, order: 'Hotplug configuration', field: '' });
}
