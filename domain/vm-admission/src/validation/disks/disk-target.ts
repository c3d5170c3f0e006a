import type { Disk } from '@smalt/vm-api';

/** How the guest sees a disk. */
export interface DiskTargetInUse {
  readonly kind: 'disk' | 'lun' | 'cdrom';
  /** Empty where none is asked for. */
  readonly bus: string;
}

/** The target of a disk; undefined where it has none yet and will be a plain disk. */
export function diskTarget(disk: Disk): DiskTargetInUse | undefined {
  if (disk.disk !== undefined) return { kind: 'disk', bus: disk.disk.bus ?? '' };
  if (disk.lun !== undefined) return { kind: 'lun', bus: disk.lun.bus ?? '' };
  if (disk.cdrom !== undefined) return { kind: 'cdrom', bus: disk.cdrom.bus ?? '' };
  return undefined;
}
