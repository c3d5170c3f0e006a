import type { DevicePreferences, Disk } from '@smalt/vm-api';

import { fillIn } from './fill-in.ts';

/** A disk with the bus, the cache and more that are preferred, where it does not say them itself. */
export function preferDisk(disk: Disk, devices: DevicePreferences): Disk {
  if (disk.cdrom !== undefined) {
    return { ...disk, cdrom: fillIn(disk.cdrom, { bus: devices.preferredCdromBus }) };
  }
  if (disk.disk === undefined && disk.lun !== undefined) {
    return { ...disk, lun: fillIn(disk.lun, { bus: devices.preferredLunBus }) };
  }
  const target = fillIn(disk.disk ?? {}, { bus: devices.preferredDiskBus });
  return fillIn(
    { ...disk, disk: target },
    {
      blockSize: devices.preferredDiskBlockSize,
      cache: devices.preferredDiskCache,
      io: devices.preferredDiskIO,
      // Only those on virtio can have threads of their own.
      dedicatedIOThread: target.bus === 'virtio' ? devices.preferredDiskDedicatedIoThread : undefined,
    },
  );
}
