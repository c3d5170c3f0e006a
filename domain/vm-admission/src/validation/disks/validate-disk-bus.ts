import type { Disk } from '@smalt/vm-api';

import { invalid, notSupported, type Cause } from '../../cause.ts';
import { isPciAddress, PCI_ADDRESS_ADVICE } from '../pci-address.ts';
import { diskTarget } from './disk-target.ts';

const BUSES: readonly string[] = ['virtio', 'scsi', 'sata', 'usb'];

/** A disk is one kind of device, on a bus that has such devices. */
export function validateDiskBus(disk: Disk, field: string): readonly Cause[] {
  const targets = [disk.disk, disk.lun, disk.cdrom].filter((target) => target !== undefined);
  return [
    ...(targets.length > 1 ? [invalid(field, `${field} can only have a single target type defined`)] : []),
    ...validatePciAddress(disk, field),
    ...validateBus(disk, field),
    ...validateThread(disk, field),
  ];
}

function validateBus(disk: Disk, field: string): readonly Cause[] {
  const target = diskTarget(disk);
  if (target === undefined || target.bus === '') return [];
  const { kind, bus } = target;
  const busField = `${field}.${kind}.bus`;
  if (bus === 'ide') return [invalid(busField, 'IDE bus is not supported', `Use one of ${BUSES.join(', ')}.`)];
  if (!BUSES.includes(bus)) {
    const message = `${field} is set with an unrecognized bus ${bus}, must be one of: [${BUSES.join(' ')}]`;
    return [invalid(busField, message)];
  }
  if (bus === 'virtio' && kind === 'cdrom') {
    return [invalid(busField, 'Bus type virtio is invalid for CD-ROM device', 'Use sata or scsi.')];
  }
  if (bus === 'sata' && kind === 'disk' && disk.disk?.readonly === true) {
    const message = 'sata hard-disks do not support read-only.';
    return [invalid(busField, message, 'Use virtio or scsi, or make it a CD-ROM.')];
  }
  return [];
}

function validateThread(disk: Disk, field: string): readonly Cause[] {
  const bus = diskTarget(disk)?.bus ?? '';
  if (disk.dedicatedIOThread !== true || bus === '' || bus === 'virtio') return [];
  const message = `IOThreads are not supported for disks on a ${bus} bus`;
  return [notSupported(field, message, 'Use virtio, or leave dedicatedIOThread out.')];
}

function validatePciAddress({ disk }: Disk, field: string): readonly Cause[] {
  const address = disk?.pciAddress ?? '';
  if (disk === undefined || address === '') return [];
  const [addressField, shown] = [`${field}.disk.pciAddress`, `disk ${field}.name`];
  return [
    ...(disk.bus === 'virtio'
      ? []
      : [invalid(addressField, `${shown} - setting a PCI address is only possible with bus type virtio.`)]),
    ...(isPciAddress(address)
      ? []
      : [invalid(addressField, `${shown} has malformed PCI address (${address}).`, PCI_ADDRESS_ADVICE)]),
  ];
}
