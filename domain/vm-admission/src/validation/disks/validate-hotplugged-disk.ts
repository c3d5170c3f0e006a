import type { Disk } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import { diskTarget } from './disk-target.ts';

/** A disk that is plugged into a running guest is one that can be. `order` names the order it comes from. */
export function validateHotpluggedDisk(
  disk: Disk | undefined,
  { name, order, field }: { readonly name: string; readonly order: string; readonly field: string },
): readonly Cause[] {
  if (disk === undefined) return [invalid(field, `${order} for [${name}] requires the disk field to be set.`)];
  const target = diskTarget(disk);
  const bus = target?.bus ?? '';
  const causes: Cause[] = [];
  if (target === undefined || target.kind === 'cdrom') {
    const message = `${order} for [${name}] requires diskDevice of type 'disk' or 'lun' to be used.`;
    return [invalid(field, message)];
  }
  if (target.kind === 'disk' && bus !== 'scsi' && bus !== 'virtio') {
    const message = `${order} for disk [${name}] requires bus to be 'scsi' or 'virtio'. [${bus}] is not permitted.`;
    causes.push(invalid(field, message));
  }
  if (target.kind === 'lun' && bus !== 'scsi') {
    causes.push(invalid(field, `${order} for LUN [${name}] requires bus to be 'scsi'. [${bus}] is not permitted.`));
  }
  if (disk.dedicatedIOThread === true && bus !== 'virtio') {
    causes.push(invalid(field, `${order} for [${name}] requires virtio bus for IOThreads.`));
  }
  if (disk.bootOrder !== undefined && disk.bootOrder < 1) {
    // The fixed number is in the words that clients know.
    const place = 'spec.domain.devices.disks[1]';
    causes.push(invalid(`${place}.bootOrder`, `${place} must have a boot order > 0, if supplied`));
  }
  return causes;
}
