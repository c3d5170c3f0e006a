import type { Disk } from '@smalt/vm-api';

import type { DomainInput } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { architectureOf } from '../shape/architecture.ts';

/** What the guest sees a volume as. */
export interface DiskTargetPlan {
  readonly device: 'disk' | 'cdrom' | 'lun';
  readonly bus: string;
  readonly isReadOnly: boolean;
  readonly tray: 'open' | undefined;
  readonly pciAddress: string | undefined;
}

const BUSES = ['virtio', 'sata', 'scsi', 'usb'];

/** Decides what the guest sees a volume as: a disk, a CD drive or a LUN, and on which bus. */
export function planDiskTarget({ disk, cdrom, lun }: Disk, input: DomainInput, field: string): DiskTargetPlan {
  const none = { tray: undefined, pciAddress: undefined };
  if (cdrom) {
    const bus = busOf(cdrom.bus, input, `${field}.cdrom.bus`);
    const tray = cdrom.tray === 'open' ? 'open' : undefined;
    return { ...none, device: 'cdrom', bus, isReadOnly: cdrom.readonly !== false, tray };
  }
  if (lun) {
    return {
      ...none,
      device: 'lun',
      bus: busOf(lun.bus, input, `${field}.lun.bus`),
      isReadOnly: lun.readonly === true,
    };
  }
  return {
    ...none,
    device: 'disk',
    bus: busOf(disk?.bus, input, `${field}.disk.bus`),
    isReadOnly: disk?.readonly === true,
    pciAddress: disk?.pciAddress,
  };
}

function busOf(asked: string | undefined, { instance }: DomainInput, field: string): string {
  if (asked === undefined || asked === '') return architectureOf(instance).name === 'amd64' ? 'sata' : 'virtio';
  if (BUSES.includes(asked)) return asked;
  throw new DomainXmlError('invalid-field', `there is no bus "${asked}"; use ${BUSES.join(', ')}`, { field });
}
